import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { PipelineRun } from "../../../api/pipelineRuns";
import { Fact, Facts } from "../../../ui/Facts";
import { Instant } from "../../../ui/Instant";
import { pipelinePath } from "../paths";
import { FailureAlert } from "./FailureAlert";
import { RunBar, RunTook } from "./runColumns";

/** Who wanted it, when, how far it is, and why it failed. */
export function PipelineRunFacts({ run }: { run: PipelineRun }) {
  const { t, i18n } = useTranslation();
  return (
    <>
      {run.failure === null ? null : <FailureAlert reason={run.failure} />}
      <Facts>
        <Fact name={t("pipelineRuns.progress")}>
          <RunBar run={run} />
        </Fact>
        <Fact name={t("pipelineRuns.pipeline")}>
          <Link to={pipelinePath(run.pipeline)}>{run.pipeline}</Link>{" "}
          <Link className="muted" to={`${pipelinePath(run.pipeline)}?tab=versions&version=${run.version}`}>
            {t("pipelines.versionOf", { version: run.version })}
          </Link>
        </Fact>
        <Fact name={t("pipelineRuns.by")}>{run.createdBy ?? t("common.none")}</Fact>
        <Fact name={t("pipelineRuns.submitted")}>
          <Instant at={run.createdAt} />
        </Fact>
        <Fact name={t("pipelineRuns.started")}>
          <Instant at={run.startedAt} />
        </Fact>
        <Fact name={t("pipelineRuns.finished")}>
          <Instant at={run.finishedAt} />
        </Fact>
        <Fact name={t("pipelineRuns.duration")}>
          <RunTook run={run} />
        </Fact>
        <Fact name={t("pipelineRuns.updated")}>
          <Instant at={run.updatedAt} as="relative" />
        </Fact>
        {run.estimate === null ? null : (
          <Fact name={t("pipelineRuns.estimate")}>
            <span className="tabular">{new Intl.NumberFormat(i18n.language).format(run.estimate)}</span>
          </Fact>
        )}
        {run.traceId === null ? null : (
          <Fact name={t("pipelineRuns.trace")}>
            <span className="mono clip" title={run.traceId}>
              {run.traceId}
            </span>
          </Fact>
        )}
      </Facts>
    </>
  );
}
