import { PauseOutlined, PlayCircleOutlined } from "@ant-design/icons";
import { Alert, Button } from "antd";
import { useTranslation } from "react-i18next";
import { entityKinds } from "../../api/transitions";
import { mostWatched } from "../../api/transitionStream";
import { formatClock } from "../../lib/time";
import { type UrlFilter, useUrlFilter } from "../../lib/useUrlFilter";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { ProblemText } from "../../ui/ErrorPanel";
import { FilterBar, SelectFilter, TextFilter } from "../../ui/FilterBar";
import { GroupFilter } from "../../ui/GroupFilter";
import { PageHeader } from "../../ui/PageHeader";
import { JobFilter } from "../runs/JobFilter";
import { useEventColumns } from "./eventColumns";
import { useTransitions, type WatchedTransitions } from "./useTransitions";

const filterKeys = ["kind", "jobId", "groupId", "rootId"] as const;
type EventFilter = UrlFilter<(typeof filterKeys)[number]>;

/** Changes of state of everything, as they happen. */
export default function EventsPage() {
  const { t } = useTranslation();
  const filter = useUrlFilter(filterKeys);
  const watched = useTransitions(filter.values);
  const columns = useEventColumns();
  const waiting = watched.rows.length === 0 && watched.state.endsWith("connecting");
  return (
    <>
      <PageHeader title={t("events.title")} after={<WatchStatus watched={watched} />} actions={<PauseButton watched={watched} />} />
      <Filters filter={filter} />
      <Notices watched={watched} />
      <DataTable
        label={t("events.title")}
        columns={columns}
        rowKey={(each) => each.id}
        rows={waiting ? undefined : [...watched.rows]}
        error={waiting ? watched.problem : null}
        onRetry={watched.resume}
        empty={<NothingYet filter={filter} />}
      />
    </>
  );
}

function Filters({ filter }: { filter: EventFilter }) {
  const { t } = useTranslation();
  const { values, set } = filter;
  return (
    <FilterBar>
      <SelectFilter
        label={t("events.kind")}
        value={values.kind}
        onChange={(kind) => set({ kind })}
        options={entityKinds.map((kind) => ({ value: kind, label: t(`events.kinds.${kind}`) }))}
      />
      <JobFilter value={values.jobId} onChange={(jobId) => set({ jobId })} />
      <GroupFilter value={values.groupId} onChange={(groupId) => set({ groupId })} />
      <TextFilter label={t("events.root")} value={values.rootId} onChange={(rootId) => set({ rootId })} />
    </FilterBar>
  );
}

/** A filter that lets nothing pass now may well do so in a moment. */
function NothingYet({ filter }: { filter: EventFilter }) {
  const { t } = useTranslation();
  return filter.isEmpty ? (
    <EmptyList filtered={false} title={t("events.empty")} hint={t("events.emptyHint")} />
  ) : (
    <EmptyList
      filtered={false}
      title={t("common.noMatch")}
      hint={t("events.emptyFiltered")}
      action={<Button onClick={filter.clear}>{t("common.clearFilters")}</Button>}
    />
  );
}

function Notices({ watched }: { watched: WatchedTransitions }) {
  const { t } = useTranslation();
  return (
    <>
      {watched.problem === null || watched.rows.length === 0 ? null : (
        <Alert type="error" showIcon className="form-alert" title={<ProblemText error={watched.problem} />} />
      )}
      {watched.gapAt === null ? null : (
        <Alert type="warning" showIcon className="form-alert" title={t("events.gap", { time: formatClock(watched.gapAt) })} />
      )}
    </>
  );
}

function WatchStatus({ watched }: { watched: WatchedTransitions }) {
  const { t } = useTranslation();
  const count = watched.rows.length;
  return (
    <>
      <output className="log-state" data-state={watched.state}>
        <span className="freshness-dot" aria-hidden="true" />
        {t(`events.states.${watched.state}`)}
      </output>
      <span className="muted tabular">{t(count === mostWatched ? "events.bounded" : "events.shown", { count })}</span>
    </>
  );
}

function PauseButton({ watched }: { watched: WatchedTransitions }) {
  const { t } = useTranslation();
  return watched.state === "paused" ? (
    <Button type="primary" icon={<PlayCircleOutlined />} onClick={watched.resume}>
      {t("events.resume")}
    </Button>
  ) : (
    <Button icon={<PauseOutlined />} onClick={watched.pause}>
      {t("events.pause")}
    </Button>
  );
}
