import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { canRetry, listMessages, type Message, messageKeys, type MessageStatus } from "../../api/messages";
import type { Queue } from "../../api/queues";
import { pollMillis } from "../../lib/queryClient";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { useMay } from "../auth/session";
import { deadLettersPath } from "../deadLetters/paths";
import { DeadSelection } from "./DeadSelection";
import { useMessageColumns } from "./messageColumns";

/** The messages of one status; those that were given up can be selected to decide about them together. */
export function MessagesTable({ queue, status }: { queue: Queue; status: MessageStatus }) {
  const { t } = useTranslation();
  const operates = useMay("operate");
  const [selected, setSelected] = useState<string[]>([]);
  const messages = useInfiniteQuery({
    queryKey: messageKeys.list(queue.name, status),
    queryFn: ({ pageParam, signal }) => listMessages(queue.name, status, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    // All loaded pages are asked again each time, so more of them are asked less often.
    refetchInterval: (query) => pollMillis.runs * Math.max(1, query.state.data?.pages.length ?? 1),
  });
  const rows = messages.data?.pages.flatMap((page) => page.items);
  const decides = operates && canRetry(status);
  // What somebody else decided about meanwhile drops out.
  const chosen = (rows ?? []).filter((message) => selected.includes(message.id));
  const columns = useMessageColumns(status);
  const selection = {
    keys: chosen.map((message) => message.id),
    change: setSelected,
    can: () => true,
    label: (message: Message) => t("messages.select", { id: message.id }),
  };
  return (
    <>
      {status === "DEAD" && queue.dead > 0 ? (
        <p>
          <Link to={deadLettersPath({ queue: queue.name })}>{t("dead.ofQueue", { count: queue.dead })}</Link>
        </p>
      ) : null}
      {decides ? (
        <DeadSelection
          queue={queue.name}
          rows={rows ?? []}
          chosen={chosen}
          onChange={(ids) => setSelected(ids)}
        />
      ) : null}
      <DataTable
        label={t(`messageStatus.${status}`)}
        {...(decides ? { selection } : {})}
        columns={columns}
        rowKey={(message) => message.id}
        rows={rows}
        error={messages.error}
        onRetry={() => void messages.refetch()}
        empty={<EmptyList filtered={false} title={t(`messages.none.${status}`)} />}
        more={{ has: messages.hasNextPage, loading: messages.isFetchingNextPage, load: () => void messages.fetchNextPage() }}
      />
    </>
  );
}
