import { DeleteOutlined, PauseCircleOutlined, PlayCircleOutlined } from "@ant-design/icons";
import { Tag } from "antd";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { alarmColors, type AlarmStatus, alarmStatuses } from "../../api/alarms";
import { type ExecutorStatus, executorStatuses } from "../../api/executors";
import { type MessageStatus, messageStatuses } from "../../api/messages";
import { type OperationStatus, operationStatuses } from "../../api/operations";
import { type RunStatus, runStatuses } from "../../api/runs";
import { type EntityKind, type JobState, jobStates } from "../../api/transitions";
import { statusLook } from "../../ui/runStatus";
import { executorLook } from "../executors/executorColumns";
import { operationLook } from "../operations/operationLook";
import { isPipelineStatus, pipelineLook } from "../pipelines/pipelineLook";
import { messageLook } from "../queues/messageLook";

/** A new state does not compile until it has a look here. */
const jobLook: Record<JobState, { color: "success" | "default" | "warning"; Icon: ComponentType }> = {
  ENABLED: { color: "success", Icon: PlayCircleOutlined },
  PAUSED: { color: "warning", Icon: PauseCircleOutlined },
  DELETED: { color: "default", Icon: DeleteOutlined },
};

const isOne = <T extends string>(of: readonly T[], state: string): state is T => (of as readonly string[]).includes(state);

/** The state of whatever has one; one that a newer server knows stays as it is. */
export function StateTag({ kind, state }: { kind: EntityKind; state: string }) {
  const { t } = useTranslation();
  if (kind === "RUN" && isOne<RunStatus>(runStatuses, state)) {
    const { color, Icon } = statusLook[state];
    return <Look color={color} Icon={Icon} text={t(`status.${state}`)} />;
  }
  if (kind === "EXECUTOR" && isOne<ExecutorStatus>(executorStatuses, state)) {
    const { color, Icon } = executorLook[state];
    return <Look color={color} Icon={Icon} text={t(`executorStatus.${state}`)} />;
  }
  if (kind === "JOB" && isOne<JobState>(jobStates, state)) {
    const { color, Icon } = jobLook[state];
    return <Look color={color} Icon={Icon} text={t(`jobState.${state}`)} />;
  }
  if (kind === "MESSAGE" && isOne<MessageStatus>(messageStatuses, state)) {
    const { color, Icon } = messageLook[state];
    return <Look color={color} Icon={Icon} text={t(`messageStatus.${state}`)} />;
  }
  if ((kind === "PIPELINE_RUN" || kind === "PIPELINE_TASK") && isPipelineStatus(state)) {
    const { color, Icon } = pipelineLook[state];
    return <Look color={color} Icon={Icon} text={t(`pipelineStatus.${state}`)} />;
  }
  if (kind === "OPERATION" && isOne<OperationStatus>(operationStatuses, state)) {
    const { color, Icon } = operationLook[state];
    return <Look color={color} Icon={Icon} text={t(`operations.statuses.${state}`)} />;
  }
  if (kind === "ALARM" && isOne<AlarmStatus>(alarmStatuses, state)) {
    return <Tag color={alarmColors[state]}>{t(`alarms.statusName.${state}`)}</Tag>;
  }
  return <Tag>{state}</Tag>;
}

const Look = ({ color, Icon, text }: { color: string; Icon: ComponentType; text: string }) => (
  <Tag color={color} icon={<Icon />}>
    {text}
  </Tag>
);
