import { Progress, type TableColumnsType, Tooltip } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { isRunOver, type PipelineRun, pipelineRunMillis } from "../../../api/pipelineRuns";
import { elapsed } from "../../../lib/duration";
import { useNow } from "../../../lib/useNow";
import { Instant } from "../../../ui/Instant";
import { pipelinePath, pipelineRunPath } from "../paths";
import { PausedMark, PipelineStatusTag } from "../pipelineLook";

export function usePipelineRunColumns({ withPipeline }: { withPipeline: boolean }): TableColumnsType<PipelineRun> {
  const { t } = useTranslation();
  return useMemo(() => {
    const columns: TableColumnsType<PipelineRun> = [
      {
        key: "id",
        title: t("pipelineRuns.id"),
        render: (_, run) => (
          <Link className="tabular strong" to={pipelineRunPath(run.id)}>
            #{run.id}
          </Link>
        ),
      },
      { key: "status", title: t("pipelineRuns.status"), render: (_, run) => <StatusCell run={run} /> },
      { key: "progress", title: t("pipelineRuns.progress"), render: (_, run) => <RunBar run={run} /> },
      { key: "failed", title: t("pipelineRuns.failedTasks"), align: "right", render: (_, run) => <FailedTasks run={run} /> },
      { key: "by", title: t("pipelineRuns.by"), responsive: ["md"], render: (_, run) => run.createdBy ?? t("common.none") },
      { key: "created", title: t("pipelineRuns.submitted"), render: (_, run) => <Instant at={run.createdAt} /> },
      { key: "took", title: t("pipelineRuns.duration"), align: "right", render: (_, run) => <RunTook run={run} /> },
    ];
    if (withPipeline) {
      columns.splice(1, 0, {
        key: "pipeline",
        title: t("pipelineRuns.pipeline"),
        render: (_, run) => (
          <span className="last-run">
            <Link className="clip" to={pipelinePath(run.pipeline)}>
              {run.pipeline}
            </Link>
            <span className="muted tabular">{t("pipelines.versionShort", { version: run.version })}</span>
          </span>
        ),
      });
    }
    return columns;
  }, [t, withPipeline]);
}

/** Whether a stage that has something to do is held back. */
export const isHeldBack = (run: PipelineRun): boolean => !isRunOver(run.status) && run.stages.some((stage) => stage.paused);

function StatusCell({ run }: { run: PipelineRun }) {
  return (
    <span className="last-run">
      <PipelineStatusTag status={run.status} />
      <PausedMark paused={isHeldBack(run)} />
    </span>
  );
}

export function RunBar({ run }: { run: PipelineRun }) {
  const { t } = useTranslation();
  const status = run.status === "FAILED" ? "exception" : run.status === "COMPLETED" ? "success" : "normal";
  const tasks = { finished: run.finishedTasks, total: run.totalTasks };
  return (
    <Tooltip title={t(run.fanningOut ? "pipelineRuns.tasksSoFar" : "pipelineRuns.tasksOf", tasks)}>
      <Progress
        className={run.fanningOut ? "run-bar run-bar-growing" : "run-bar"}
        size="small"
        percent={Math.round(run.progress)}
        status={status}
        format={(percent) => (run.fanningOut ? t("pipelineRuns.soFar", tasks) : `${percent}%`)}
        aria-label={t("pipelineRuns.progressOf", { id: run.id })}
      />
    </Tooltip>
  );
}

function FailedTasks({ run }: { run: PipelineRun }) {
  const { i18n } = useTranslation();
  const failed = run.stages.reduce((sum, stage) => sum + stage.failed, 0);
  const text = new Intl.NumberFormat(i18n.language).format(failed);
  return failed === 0 ? (
    <span className="tabular muted">{text}</span>
  ) : (
    <Link className="tabular danger strong" to={`${pipelineRunPath(run.id)}?status=FAILED`}>
      {text}
    </Link>
  );
}

export function RunTook({ run }: { run: PipelineRun }) {
  const { t } = useTranslation();
  const now = useNow();
  const took = pipelineRunMillis(run, now);
  return <span className="tabular">{took === null ? t("common.none") : elapsed(took)}</span>;
}
