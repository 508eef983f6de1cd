import {
  CheckCircleOutlined,
  CloseCircleOutlined,
  DownloadOutlined,
  HourglassOutlined,
  PauseCircleOutlined,
  StopOutlined,
  SyncOutlined,
} from "@ant-design/icons";
import { Tag, Tooltip } from "antd";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { type StageProgress, type StageStatus, stageStatuses } from "../../api/pipelineRuns";
import { type TaskStatus, taskStatuses } from "../../api/pipelineTasks";

type Look = { color: "default" | "processing" | "success" | "error" | "warning"; Icon: ComponentType<{ spin?: boolean }> };

/** Runs know all of these but one. A new status does not compile until it has a look here. */
export const pipelineLook: Record<TaskStatus, Look> = {
  PENDING: { color: "default", Icon: HourglassOutlined },
  CLAIMED: { color: "processing", Icon: DownloadOutlined },
  RUNNING: { color: "processing", Icon: SyncOutlined },
  COMPLETED: { color: "success", Icon: CheckCircleOutlined },
  FAILED: { color: "error", Icon: CloseCircleOutlined },
  CANCELLED: { color: "warning", Icon: StopOutlined },
};

export const isPipelineStatus = (status: string): status is TaskStatus => (taskStatuses as readonly string[]).includes(status);

/** The status of a run or a task; one that a newer server knows stays as it is. */
export function PipelineStatusTag({ status }: { status: string }) {
  const { t } = useTranslation();
  if (!isPipelineStatus(status)) {
    return <Tag>{status}</Tag>;
  }
  const { color, Icon } = pipelineLook[status];
  return (
    <Tag color={color} icon={<Icon spin={status === "RUNNING"} />}>
      {t(`pipelineStatus.${status}`)}
    </Tag>
  );
}

/** One that is over is as good as its tasks were. */
const stageLook: Record<StageStatus, (stage: StageProgress) => Look> = {
  WAITING: () => pipelineLook.PENDING,
  RUNNING: () => pipelineLook.RUNNING,
  OVER: ({ failed, cancelled }) => (failed > 0 ? pipelineLook.FAILED : cancelled > 0 ? pipelineLook.CANCELLED : pipelineLook.COMPLETED),
};

/** The status of a stage of a run; one that a newer server knows stays as it is. */
export function StageStatusTag({ stage }: { stage: StageProgress }) {
  const { t } = useTranslation();
  if (!(stageStatuses as readonly string[]).includes(stage.status)) {
    return <Tag>{stage.status}</Tag>;
  }
  const { color, Icon } = stageLook[stage.status](stage);
  return (
    <Tag color={color} icon={<Icon spin={stage.status === "RUNNING"} />}>
      {t(`stageStatus.${stage.status}`)}
    </Tag>
  );
}

/** Nothing where it is not paused. */
export function PausedMark({ paused }: { paused: boolean }) {
  const { t } = useTranslation();
  return paused ? (
    <Tooltip title={t("pipelines.pausedHint")}>
      <Tag color="warning" icon={<PauseCircleOutlined />}>
        {t("pipelines.paused")}
      </Tag>
    </Tooltip>
  ) : null;
}
