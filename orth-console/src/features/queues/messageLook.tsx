import { CheckCircleOutlined, CloseCircleOutlined, DeleteOutlined, HourglassOutlined, SyncOutlined } from "@ant-design/icons";
import { Tag } from "antd";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import type { Lane, Message, MessageStatus } from "../../api/messages";

type Look = { color: "default" | "processing" | "success" | "error"; Icon: ComponentType<{ spin?: boolean }> };

/** A new status does not compile until it has a look here. */
export const messageLook: Record<MessageStatus, Look> = {
  WAITING: { color: "default", Icon: HourglassOutlined },
  RUNNING: { color: "processing", Icon: SyncOutlined },
  DONE: { color: "success", Icon: CheckCircleOutlined },
  DEAD: { color: "error", Icon: CloseCircleOutlined },
  DISCARDED: { color: "default", Icon: DeleteOutlined },
};

export function MessageStatusTag({ status }: { status: MessageStatus }) {
  const { t } = useTranslation();
  const { color, Icon } = messageLook[status];
  return (
    <Tag color={color} icon={<Icon spin={status === "RUNNING"} />}>
      {t(`messageStatus.${status}`)}
    </Tag>
  );
}

/** The more urgent, the louder. */
export const laneColor: Record<Lane, "error" | "warning" | "default" | null> = {
  CRITICAL: "error",
  HIGH: "warning",
  DEFAULT: null,
  LOW: "default",
};

/** The usual lane is a word among others. */
export function LaneText({ lane }: { lane: Lane }) {
  const { t } = useTranslation();
  const color = laneColor[lane];
  return color === null ? t(`lane.${lane}`) : <Tag color={color}>{t(`lane.${lane}`)}</Tag>;
}

/** Which attempt this is, and how many there may be. */
export function AttemptText({ of }: { of: Pick<Message, "attempt" | "maxAttempts"> }) {
  const { t } = useTranslation();
  return <span className="tabular">{t("messages.attemptOf", { attempt: of.attempt, attempts: of.maxAttempts })}</span>;
}
