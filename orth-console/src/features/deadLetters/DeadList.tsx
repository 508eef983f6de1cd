import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type DeadLetter, deadKeys, listDeadLetters } from "../../api/deadLetters";
import { pageSize } from "../../api/page";
import { pollMillis } from "../../lib/queryClient";
import { resolveRange } from "../../lib/time";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { useMay } from "../auth/session";
import { BulkActions } from "./BulkActions";
import type { DeadUrlFilter } from "./DeadFilters";
import { useDeadColumns } from "./deadColumns";

/** Dead letters one by one, newest first; operators decide about those they select, or about all that match. */
export function DeadList({ filter }: { filter: DeadUrlFilter }) {
  const { t } = useTranslation();
  const operates = useMay("operate");
  const [selected, setSelected] = useState<string[]>([]);
  const columns = useDeadColumns();
  const { values } = filter;
  const letters = useInfiniteQuery({
    queryKey: deadKeys.list(values),
    queryFn: ({ pageParam, signal }) => listDeadLetters(resolveRange(values, new Date()), pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    // All loaded pages are asked again each time, so more of them are asked less often. A text is not searched over and over.
    refetchInterval: (query) => values.error === undefined && pollMillis.lists * Math.max(1, query.state.data?.pages.length ?? 1),
  });
  const rows = letters.data?.pages.flatMap((page) => page.items);
  const searching = letters.hasNextPage && (letters.data?.pages.at(-1)?.items.length ?? 0) < pageSize;
  // What was decided about meanwhile drops out.
  const chosen = (rows ?? []).filter((letter) => selected.includes(letter.no));
  const selection = {
    keys: chosen.map((letter) => letter.no),
    change: setSelected,
    can: () => true,
    label: (letter: DeadLetter) => t("dead.select", { kind: t(`dead.kinds.${letter.kind}`), id: letter.id }),
  };
  const hasAny = (rows ?? []).length > 0;
  return (
    <>
      {/* It keeps its dialogs when what it was about is gone from the list. */}
      {operates ? <BulkActions shown={hasAny} filter={values} chosen={selection.keys} onClear={() => setSelected([])} /> : null}
      <DataTable
        label={t("dead.title")}
        {...(operates ? { selection } : {})}
        columns={columns}
        rowKey={(letter) => letter.no}
        rows={rows}
        error={letters.error}
        onRetry={() => void letters.refetch()}
        empty={<NothingFound filter={filter} searching={searching} />}
        more={{
          has: letters.hasNextPage,
          loading: letters.isFetchingNextPage,
          load: () => void letters.fetchNextPage(),
          ...(searching ? { label: t("dead.searchFurther") } : {}),
        }}
      />
    </>
  );
}

/** Nothing in what was searched so far is not yet nothing at all. */
function NothingFound({ filter, searching }: { filter: DeadUrlFilter; searching: boolean }) {
  const { t } = useTranslation();
  return searching ? (
    <EmptyList filtered={false} title={t("dead.soFar")} hint={t("dead.soFarHint")} />
  ) : (
    <EmptyList filtered={!filter.isEmpty} onClear={filter.clear} title={t("dead.empty")} hint={t("dead.emptyHint")} />
  );
}
