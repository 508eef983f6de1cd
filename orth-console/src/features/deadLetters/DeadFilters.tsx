import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type deadFilterKeys, deadKinds } from "../../api/deadLetters";
import { listQueues, queueKeys } from "../../api/queues";
import type { UrlFilter } from "../../lib/useUrlFilter";
import { FilterBar, SelectFilter, TextFilter } from "../../ui/FilterBar";
import { JobFilter } from "../runs/JobFilter";
import { RangeFilter } from "../runs/RangeFilter";

export type DeadUrlFilter = UrlFilter<(typeof deadFilterKeys)[number]>;

/** Groups are told apart by where they are only; what else a filter says holds for the list. */
export function DeadFilters({ filter, view }: { filter: DeadUrlFilter; view: "list" | "groups" }) {
  const { t } = useTranslation();
  const { values, set } = filter;
  return (
    <FilterBar>
      <SelectFilter
        label={t("dead.kind")}
        value={values.kind}
        onChange={(kind) => set({ kind })}
        options={deadKinds.map((kind) => ({ value: kind, label: t(`dead.kinds.${kind}`) }))}
      />
      <QueueFilter value={values.queue} onChange={(queue) => set({ queue })} />
      <JobFilter value={values.jobId} onChange={(jobId) => set({ jobId })} />
      {view === "groups" ? null : (
        <>
          <TextFilter label={t("dead.errorText")} value={values.error} onChange={(error) => set({ error })} />
          <TextFilter label={t("jobs.handler")} value={values.handler} onChange={(handler) => set({ handler })} />
          <TextFilter label={t("messages.trace")} value={values.traceId} onChange={(traceId) => set({ traceId })} />
          <TextFilter label={t("messages.fingerprint")} value={values.fingerprint} onChange={(fingerprint) => set({ fingerprint })} />
          <RangeFilter from={values.from} to={values.to} onChange={set} />
        </>
      )}
    </FilterBar>
  );
}

type Props = { value: string | undefined; onChange: (queue: string | undefined) => void };

function QueueFilter({ value, onChange }: Props) {
  const { t } = useTranslation();
  const queues = useQuery({ queryKey: queueKeys.list(), queryFn: ({ signal }) => listQueues(undefined, signal), staleTime: 30_000 });
  const options = (queues.data?.items ?? []).map(({ name }) => ({ value: name, label: name, title: name }));
  return <SelectFilter label={t("queues.name")} value={value} onChange={onChange} options={options} search />;
}
