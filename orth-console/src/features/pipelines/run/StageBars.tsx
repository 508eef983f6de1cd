import { type TableColumnsType, Tooltip } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { PipelineRun, StageProgress } from "../../../api/pipelineRuns";
import { DataTable } from "../../../ui/DataTable";
import { pipelineRunPath } from "../paths";
import { PausedMark, StageStatusTag } from "../pipelineLook";

/** The parts of a bar, in their order. */
export const parts = ["completed", "failed", "cancelled", "open"] as const;
export type Part = (typeof parts)[number];

/** The status of the tasks that a part counts; null where there are several. */
const statusOf: Record<Part, string | null> = { completed: "COMPLETED", failed: "FAILED", cancelled: "CANCELLED", open: null };

/** How far each stage of a run is. */
export function StageBars({ run }: { run: PipelineRun }) {
  const { t } = useTranslation();
  const columns = useColumns(run.id, run.fanningOut);
  return (
    <section className="page-part" aria-label={t("pipelineRuns.stages")}>
      <DataTable
        label={t("pipelineRuns.stages")}
        columns={columns}
        rowKey={(stage) => stage.name}
        rows={run.stages}
        error={null}
        onRetry={() => undefined}
        empty={null}
      />
    </section>
  );
}

function useColumns(runId: string, fanningOut: boolean): TableColumnsType<StageProgress> {
  const { t, i18n } = useTranslation();
  return useMemo(() => {
    const { format } = new Intl.NumberFormat(i18n.language);
    return [
      {
        key: "name",
        title: t("stages.name"),
        render: (_, stage) => (
          <span className="last-run">
            <Link className="strong" to={tasksOf(runId, stage.name, null)}>
              {stage.name}
            </Link>
            <PausedMark paused={stage.paused} />
          </span>
        ),
      },
      { key: "status", title: t("pipelineRuns.status"), render: (_, stage) => <StageStatusTag stage={stage} /> },
      { key: "bar", title: t("pipelineRuns.progress"), className: "bar-cell", render: (_, stage) => <StageBar stage={stage} growing={fanningOut} /> },
      {
        key: "expected",
        title: t("pipelineRuns.expected"),
        align: "right",
        render: (_, stage) => <Expected stage={stage} format={format} />,
      },
      ...parts.map((part): TableColumnsType<StageProgress>[number] => ({
        key: part,
        title: t(`pipelineRuns.parts.${part}`),
        align: "right",
        render: (_, stage) => <Count runId={runId} stage={stage} part={part} format={format} />,
      })),
    ];
  }, [t, i18n.language, runId, fanningOut]);
}

export const tasksOf = (runId: string, stage: string, status: string | null): string =>
  `${pipelineRunPath(runId)}?stage=${encodeURIComponent(stage)}${status === null ? "" : `&status=${status}`}`;

/** How much of a bar stands for tasks that are still to be made, beside those that are. */
const unknownShare = 0.25;

/**
 * One bar in parts. What they are stands in the figures beside it. While the run is `growing`, a stage of which not all tasks are made has
 * a striped end.
 */
export function StageBar({ stage, growing }: { stage: StageProgress; growing: boolean }) {
  const shown = parts.filter((part) => stage[part] > 0);
  const hasUnknown = growing && stage.expected === null && stage.created > 0;
  return (
    <span className="stage-bar" aria-hidden="true">
      {shown.map((part) => (
        <span key={part} className={`bar-part bar-part-${part}`} style={{ flexGrow: stage[part] }} />
      ))}
      {hasUnknown ? <span className="bar-part bar-part-unknown" style={{ flexGrow: stage.created * unknownShare }} /> : null}
    </span>
  );
}

function Expected({ stage, format }: { stage: StageProgress; format: (value: number) => string }) {
  const { t } = useTranslation();
  return stage.expected === null ? (
    <Tooltip title={t("pipelineRuns.unknownHint")}>
      <span className="muted tabular">
        {stage.created === 0 ? t("pipelineRuns.unknown") : t("pipelineRuns.createdSoFar", { count: stage.created })}
      </span>
    </Tooltip>
  ) : (
    <span className="tabular">{format(stage.expected)}</span>
  );
}

type CountProps = { runId: string; stage: StageProgress; part: Part; format: (value: number) => string };

/** Leads to the tasks it counts where they have one status. */
function Count({ runId, stage, part, format }: CountProps) {
  const value = stage[part];
  const status = statusOf[part];
  if (value === 0 || status === null) {
    return <span className={`tabular ${value === 0 ? "muted" : ""}`}>{format(value)}</span>;
  }
  return (
    <Link className={`tabular ${part === "failed" ? "danger strong" : ""}`} to={tasksOf(runId, stage.name, status)}>
      {format(value)}
    </Link>
  );
}
