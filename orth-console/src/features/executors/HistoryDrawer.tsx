import { useQuery } from "@tanstack/react-query";
import { Drawer } from "antd";
import { useTranslation } from "react-i18next";
import { type Executor, executorHistory, executorKeys, type Metrics, type Sample } from "../../api/executors";
import { EmptyList, ListSkeleton } from "../../ui/DataTable";
import { ErrorPanel } from "../../ui/ErrorPanel";
import { Instant } from "../../ui/Instant";
import { linePoints, megabytes, percent } from "./metricWords";

type Props = { executor: Executor; open: boolean; onClose: () => void };

const width = 440;
const height = 64;

/** How an executor did over the last day, a sample a minute. */
export function HistoryDrawer({ executor, open, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Drawer
      open={open}
      onClose={onClose}
      title={t("executors.historyOf", { address: executor.address })}
      size={520}
      destroyOnHidden
      closable={{ "aria-label": t("common.close") }}
    >
      <History instanceId={executor.instanceId} />
    </Drawer>
  );
}

function History({ instanceId }: { instanceId: string }) {
  const { t } = useTranslation();
  const history = useQuery({
    queryKey: executorKeys.history(instanceId),
    queryFn: ({ signal }) => executorHistory(instanceId, signal),
    refetchInterval: 60_000,
  });
  if (history.data === undefined) {
    return history.error === null ? <ListSkeleton /> : <ErrorPanel error={history.error} onRetry={() => void history.refetch()} />;
  }
  const [first] = history.data;
  const last = history.data.at(-1);
  if (first === undefined || last === undefined) {
    return <EmptyList filtered={false} title={t("executors.noHistory")} hint={t("executors.noHistoryHint")} />;
  }
  const samples = history.data;
  return (
    <>
      <p className="muted">
        <Instant at={first.at} /> – <Instant at={last.at} />
      </p>
      <Line label={t("executors.cpu")} samples={samples} value={({ processCpu }) => processCpu ?? 0} words={(share) => percent(share) ?? ""} />
      <Line label={t("executors.hostLoad")} samples={samples} value={({ cpu }) => cpu ?? 0} words={(load) => percent(load) ?? ""} />
      <Line label={t("executors.rss")} samples={samples} value={({ ram }) => ram.rss} words={megabytes} />
      <Line label={t("executors.heapUsed")} samples={samples} value={({ ram }) => ram.heapUsed} words={megabytes} />
      <Line label={t("executors.running")} samples={samples} value={({ running }) => running} words={String} />
      <Line label={t("executors.queued")} samples={samples} value={({ queued }) => queued} words={String} />
    </>
  );
}

type LineProps = { label: string; samples: Sample[]; value: (metrics: Metrics) => number; words: (amount: number) => string };

function Line({ label, samples, value, words }: LineProps) {
  const { t } = useTranslation();
  const values = samples.map(({ metrics }) => value(metrics));
  const summary = t("executors.nowAndMost", { now: words(values.at(-1) ?? 0), most: words(Math.max(...values)) });
  return (
    <figure className="metric-line">
      <figcaption>
        <strong>{label}</strong> <span className="muted tabular">{summary}</span>
      </figcaption>
      <svg viewBox={`0 -2 ${width} ${height + 4}`} aria-hidden="true" preserveAspectRatio="none">
        <polyline points={linePoints(values, width, height)} fill="none" stroke="currentColor" strokeWidth="1.5" vectorEffect="non-scaling-stroke" />
      </svg>
    </figure>
  );
}
