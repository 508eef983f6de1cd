import { ArrowRightOutlined } from "@ant-design/icons";
import { type TableColumnsType, Tooltip } from "antd";
import { Fragment, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { PipelineRun } from "../../api/pipelineRuns";
import type { Pipeline } from "../../api/pipelines";
import { formatInstant } from "../../lib/time";
import { Instant } from "../../ui/Instant";
import { useMay } from "../auth/session";
import { KillSwitch } from "./KillSwitch";
import { pipelinePath, pipelineRunPath } from "./paths";
import { PausedMark, pipelineLook } from "./pipelineLook";
import { StartRunButton } from "./StartRun";

/** `runs` are the newest of all pipelines; undefined while they are awaited. */
export function usePipelineColumns(runs: PipelineRun[] | undefined): TableColumnsType<Pipeline> {
  const { t } = useTranslation();
  const administers = useMay("administer");
  return useMemo(() => {
    const columns: TableColumnsType<Pipeline> = [
      { key: "name", title: t("pipelines.name"), render: (_, pipeline) => <NameCell pipeline={pipeline} /> },
      { key: "stages", title: t("pipelines.stages"), render: (_, pipeline) => <StagesCell pipeline={pipeline} /> },
      { key: "version", title: t("pipelines.version"), align: "right", render: (_, pipeline) => <span className="tabular">{pipeline.version}</span> },
      { key: "runs", title: t("pipelines.lastRuns"), render: (_, pipeline) => <LastRuns runs={lastOf(runs ?? [], pipeline.name)} /> },
      {
        key: "updated",
        title: t("common.updated"),
        responsive: ["lg"],
        render: (_, pipeline) => <Instant at={pipeline.updatedAt} as="relative" />,
      },
    ];
    if (administers) {
      columns.push({
        key: "actions",
        title: <span className="off-screen">{t("common.actions")}</span>,
        align: "right",
        render: (_, pipeline) => (
          <div className="row-actions">
            <StartRunButton pipeline={pipeline} small />
            <KillSwitch of={{ pipeline: pipeline.name, stage: null }} paused={pipeline.paused} small />
          </div>
        ),
      });
    }
    return columns;
  }, [t, administers, runs]);
}

const mostShown = 8;

/** The newest last, as one reads. */
export const lastOf = (runs: PipelineRun[], pipeline: string): PipelineRun[] =>
  runs
    .filter((run) => run.pipeline === pipeline)
    .slice(0, mostShown)
    .toReversed();

function NameCell({ pipeline }: { pipeline: Pipeline }) {
  return (
    <div className="pipeline-name">
      <span className="last-run">
        <Link className="strong clip" to={pipelinePath(pipeline.name)}>
          {pipeline.name}
        </Link>
        <PausedMark paused={pipeline.paused} />
      </span>
      {pipeline.description === "" ? null : <span className="muted clip-wide">{pipeline.description}</span>}
    </div>
  );
}

function StagesCell({ pipeline }: { pipeline: Pipeline }) {
  return (
    <span className="stage-chain">
      {pipeline.stages.map((stage, index) => (
        <Fragment key={stage.name}>
          {index === 0 ? null : <ArrowRightOutlined className="muted" />}
          <span>{stage.name}</span>
          <PausedMark paused={stage.paused} />
        </Fragment>
      ))}
    </span>
  );
}

/** One sign for each; where it leads and when it was is said on hover and to those who do not see it. */
function LastRuns({ runs }: { runs: PipelineRun[] }) {
  const { t } = useTranslation();
  if (runs.length === 0) {
    return <span className="muted">{t("common.none")}</span>;
  }
  return (
    <span className="run-signs">
      {runs.map((run) => {
        const { color, Icon } = pipelineLook[run.status];
        const name = t("pipelines.runSign", { id: run.id, status: t(`pipelineStatus.${run.status}`), at: formatInstant(run.createdAt) });
        return (
          <Tooltip key={run.id} title={name}>
            <Link className="run-sign" data-color={color} to={pipelineRunPath(run.id)} aria-label={name}>
              <Icon spin={run.status === "RUNNING"} />
            </Link>
          </Tooltip>
        );
      })}
    </span>
  );
}
