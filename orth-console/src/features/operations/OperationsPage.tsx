import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { isFinished, listOperations, operationKeys, operationStatuses } from "../../api/operations";
import { pollMillis } from "../../lib/queryClient";
import { useUrlFilter } from "../../lib/useUrlFilter";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { FilterBar, SelectFilter } from "../../ui/FilterBar";
import { PageHeader } from "../../ui/PageHeader";
import { useOperationColumns } from "./operationColumns";

export default function OperationsPage() {
  const { t } = useTranslation();
  const columns = useOperationColumns();
  const filter = useUrlFilter(["status"] as const);
  const { status } = filter.values;
  const operations = useInfiniteQuery({
    queryKey: operationKeys.list(status),
    queryFn: ({ pageParam, signal }) => listOperations(status, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    // What moves is looked at more often. All loaded pages are asked again each time, so more of them are asked less often.
    refetchInterval: ({ state }) => {
      const pages = state.data?.pages ?? [];
      const moving = pages.some((page) => page.items.some((operation) => !isFinished(operation.status)));
      return (moving ? pollMillis.runs : pollMillis.lists) * Math.max(1, pages.length);
    },
  });
  return (
    <>
      <PageHeader title={t("operations.title")} />
      <FilterBar>
        <SelectFilter
          label={t("operations.status")}
          value={status}
          onChange={(next) => filter.set({ status: next })}
          options={operationStatuses.map((each) => ({ value: each, label: t(`operations.statuses.${each}`) }))}
        />
      </FilterBar>
      <DataTable
        label={t("operations.title")}
        columns={columns}
        rowKey={(operation) => operation.id}
        rows={operations.data?.pages.flatMap((page) => page.items)}
        error={operations.error}
        onRetry={() => void operations.refetch()}
        empty={
          <EmptyList filtered={!filter.isEmpty} onClear={filter.clear} title={t("operations.empty")} hint={t("operations.emptyHint")} />
        }
        more={{ has: operations.hasNextPage, loading: operations.isFetchingNextPage, load: () => void operations.fetchNextPage() }}
      />
    </>
  );
}
