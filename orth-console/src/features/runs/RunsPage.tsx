import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { hasEnded, listRuns, type Run, type RunFilter, runKeys, runStatuses } from "../../api/runs";
import { pollMillis } from "../../lib/queryClient";
import { resolveInstant } from "../../lib/time";
import { useUrlFilter } from "../../lib/useUrlFilter";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { FilterBar, MultiSelectFilter } from "../../ui/FilterBar";
import { GroupFilter } from "../../ui/GroupFilter";
import { PageHeader } from "../../ui/PageHeader";
import { useMay } from "../auth/session";
import { JobFilter } from "./JobFilter";
import { KillSelected } from "./KillButtons";
import { RangeFilter } from "./RangeFilter";
import { runsMinWidth, useRunColumns } from "./runColumns";

const filterKeys = ["status", "jobId", "groupId", "from", "to"] as const;

/** The address may say `-6h`; the server is asked for an instant. */
function resolved(filter: RunFilter): RunFilter {
  const now = new Date();
  const { from, to, ...rest } = filter;
  const instants = { from: from && resolveInstant(from, now)?.toISOString(), to: to && resolveInstant(to, now)?.toISOString() };
  return { ...rest, ...(instants.from ? { from: instants.from } : {}), ...(instants.to ? { to: instants.to } : {}) };
}

export default function RunsPage() {
  const { t } = useTranslation();
  const columns = useRunColumns({ withJob: true });
  const filter = useUrlFilter(filterKeys);
  const operates = useMay("operate");
  const [selected, setSelected] = useState<string[]>([]);
  const values = filter.values as RunFilter;
  const runs = useInfiniteQuery({
    queryKey: runKeys.list(values),
    queryFn: ({ pageParam, signal }) => listRuns(resolved(values), pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    // All loaded pages are asked again each time, so more of them are asked less often.
    refetchInterval: (query) => pollMillis.runs * Math.max(1, query.state.data?.pages.length ?? 1),
  });
  const rows = runs.data?.pages.flatMap((page) => page.items);
  // Runs that end while they are selected drop out: there is nothing left to end.
  const chosen = (rows ?? []).filter((run) => selected.includes(run.id) && !hasEnded(run.status));
  const selection = {
    keys: chosen.map((run) => run.id),
    change: setSelected,
    can: (run: Run) => !hasEnded(run.status),
    label: (run: Run) => t("kill.select", { id: run.id }),
  };
  return (
    <>
      <PageHeader title={t("runs.title")} />
      <FilterBar>
        <MultiSelectFilter
          label={t("runs.status")}
          value={filter.values.status}
          onChange={(status) => filter.set({ status })}
          options={runStatuses.map((status) => ({ value: status, label: t(`status.${status}`) }))}
        />
        <JobFilter value={filter.values.jobId} onChange={(jobId) => filter.set({ jobId })} />
        <GroupFilter value={filter.values.groupId} onChange={(groupId) => filter.set({ groupId })} />
        <RangeFilter from={filter.values.from} to={filter.values.to} onChange={(range) => filter.set(range)} />
      </FilterBar>
      {operates ? <KillSelected runs={chosen} onDone={() => setSelected([])} /> : null}
      <DataTable
        label={t("runs.title")}
        {...(operates ? { selection } : {})}
        columns={columns}
        minWidth={runsMinWidth}
        rowKey={(run) => run.id}
        rows={rows}
        error={runs.error}
        onRetry={() => void runs.refetch()}
        empty={
          <EmptyList filtered={!filter.isEmpty} onClear={filter.clear} title={t("runs.empty")} hint={t("runs.emptyHint")} />
        }
        more={{ has: runs.hasNextPage, loading: runs.isFetchingNextPage, load: () => void runs.fetchNextPage() }}
      />
    </>
  );
}
