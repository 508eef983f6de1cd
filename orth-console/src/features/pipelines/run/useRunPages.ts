import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { Page } from "../../../api/page";
import { isSettled, type PipelineRun } from "../../../api/pipelineRuns";
import { pollMillis } from "../../../lib/queryClient";

type Asked<T> = { queryKey: readonly unknown[]; list: (cursor: string | null, signal: AbortSignal) => Promise<Page<T>> };

/** A list of a run, page by page, asked again while the run can change. */
export function useRunPages<T>(run: PipelineRun, { queryKey, list }: Asked<T>) {
  const pages = useInfiniteQuery({
    // Another one once the run has changed for good, so that the end is seen too.
    queryKey: [...queryKey, isSettled(run)],
    queryFn: ({ pageParam, signal }) => list(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    refetchInterval: (query) => (isSettled(run) ? false : pollMillis.runs * Math.max(1, query.state.data?.pages.length ?? 1)),
  });
  return {
    rows: pages.data?.pages.flatMap((page) => page.items),
    error: pages.error,
    onRetry: () => void pages.refetch(),
    more: { has: pages.hasNextPage, loading: pages.isFetchingNextPage, load: () => void pages.fetchNextPage() },
  };
}
