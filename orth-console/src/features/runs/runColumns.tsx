import type { TableColumnsType } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { hasEnded, type Run, runMillis } from "../../api/runs";
import { elapsed } from "../../lib/duration";
import { useNow } from "../../lib/useNow";
import { Clipped } from "../../ui/Clipped";
import { Instant } from "../../ui/Instant";
import { RunStatusCell } from "./RunStatusCell";

/** The narrowest that a list of runs is drawn. */
export const runsMinWidth = 860;

export function useRunColumns({ withJob }: { withJob: boolean }): TableColumnsType<Run> {
  const { t } = useTranslation();
  return useMemo(() => {
    const columns: TableColumnsType<Run> = [
      {
        key: "id",
        title: t("runs.id"),
        width: 144,
        render: (_, run) => (
          <Link className="tabular" to={`/runs/${run.id}`}>
            #{run.id}
          </Link>
        ),
      },
      { key: "status", title: t("runs.status"), width: 172, render: (_, run) => <RunStatusCell run={run} /> },
      {
        key: "job",
        title: t("runs.job"),
        width: "15%",
        render: (_, run) => <Clipped className="strong" text={run.jobName} to={`/jobs/${run.jobId}`} />,
      },
      { key: "group", title: t("runs.group"), responsive: ["xxl"], width: "9%", render: (_, run) => <Clipped text={run.groupName} /> },
      { key: "trigger", title: t("runs.trigger"), responsive: ["md"], width: 92, render: (_, run) => t(`trigger.${run.triggerType}`) },
      { key: "time", title: t("runs.time"), width: 154, render: (_, run) => <Instant at={run.createdAt} /> },
      { key: "duration", title: t("runs.duration"), align: "right", width: 84, render: (_, run) => <RunDuration run={run} /> },
      {
        key: "executor",
        title: t("runs.executor"),
        responsive: ["xxl"],
        width: "13%",
        render: (_, run) => <Clipped className="mono" text={run.executorAddress ?? t("common.none")} />,
      },
      {
        key: "message",
        title: t("runs.message"),
        responsive: ["lg"],
        render: (_, run) => <Clipped className="muted" text={firstLine(run)} />,
      },
    ];
    return withJob ? columns : columns.filter((column) => column.key !== "job" && column.key !== "group");
  }, [t, withJob]);
}

/** What the run has to say, in one line: the handler's word, or why it never got there. */
const firstLine = (run: Run): string => {
  const neverBegan = run.status === "TRIGGER_FAILED" || run.status === "SKIPPED";
  const text = run.handleMsg === "" && neverBegan ? run.triggerMsg : run.handleMsg;
  return text.split("\n", 1)[0] ?? "";
};

/** How long it took, or takes. */
export function RunDuration({ run }: { run: Run }) {
  return <span className="tabular">{hasEnded(run.status) ? <Took run={run} now={run.createdAt} /> : <Ticking run={run} />}</span>;
}

function Ticking({ run }: { run: Run }) {
  return <Took run={run} now={useNow()} />;
}

function Took({ run, now }: { run: Run; now: Date }) {
  const { t } = useTranslation();
  const millis = runMillis(run, now);
  return millis === null ? t("common.none") : elapsed(millis);
}
