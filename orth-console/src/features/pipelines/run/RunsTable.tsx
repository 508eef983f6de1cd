import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { listPipelineRuns, type PipelineRunFilter, pipelineRunKeys } from "../../../api/pipelineRuns";
import { pollMillis } from "../../../lib/queryClient";
import { resolveRange } from "../../../lib/time";
import { DataTable, EmptyList } from "../../../ui/DataTable";
import { usePipelineRunColumns } from "./runColumns";

type Props = {
  filter: PipelineRunFilter;
  withPipeline: boolean;
  /** Where the filter is not the reader's own, there is nothing to clear. */
  onClear?: (() => void) | undefined;
};

/** Runs of pipelines, the newest first. */
export function RunsTable({ filter, withPipeline, onClear }: Props) {
  const { t } = useTranslation();
  const columns = usePipelineRunColumns({ withPipeline });
  const runs = useInfiniteQuery({
    queryKey: pipelineRunKeys.list(filter),
    queryFn: ({ pageParam, signal }) => listPipelineRuns(resolveRange(filter, new Date()), pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    // All loaded pages are asked again each time, so more of them are asked less often.
    refetchInterval: (query) => pollMillis.runs * Math.max(1, query.state.data?.pages.length ?? 1),
  });
  return (
    <DataTable
      label={t("pipelineRuns.title")}
      columns={columns}
      rowKey={(run) => run.id}
      rows={runs.data?.pages.flatMap((page) => page.items)}
      error={runs.error}
      onRetry={() => void runs.refetch()}
      empty={
        <EmptyList
          filtered={onClear !== undefined}
          {...(onClear === undefined ? {} : { onClear })}
          title={t("pipelineRuns.empty")}
          hint={t("pipelineRuns.emptyHint")}
        />
      }
      more={{ has: runs.hasNextPage, loading: runs.isFetchingNextPage, load: () => void runs.fetchNextPage() }}
    />
  );
}
