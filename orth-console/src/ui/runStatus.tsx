import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  CloseCircleOutlined,
  DisconnectOutlined,
  HourglassOutlined,
  StepForwardOutlined,
  SyncOutlined,
} from "@ant-design/icons";
import { Tag } from "antd";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import type { RunStatus } from "../api/runs";

type Look = { color: "default" | "processing" | "success" | "error" | "warning"; Icon: ComponentType<{ spin?: boolean }> };

/** A new status does not compile until it has a look here. */
export const statusLook: Record<RunStatus, Look> = {
  INIT: { color: "default", Icon: HourglassOutlined },
  PENDING: { color: "processing", Icon: SyncOutlined },
  SUCCESS: { color: "success", Icon: CheckCircleOutlined },
  FAILED: { color: "error", Icon: CloseCircleOutlined },
  TRIGGER_FAILED: { color: "error", Icon: DisconnectOutlined },
  SKIPPED: { color: "default", Icon: StepForwardOutlined },
  TIMEOUT: { color: "warning", Icon: ClockCircleOutlined },
};

export type StatusOf = { status: RunStatus; triggerCode: number; handleCode: number };

/** `Success 200/200`: the word, then what the trigger and the handler answered. */
export function StatusTag({ of }: { of: StatusOf }) {
  const { t } = useTranslation();
  const { color, Icon } = statusLook[of.status];
  return (
    <Tag color={color} icon={<Icon spin={of.status === "PENDING"} />} className="status-tag">
      {t(`status.${of.status}`)} {of.triggerCode}/{of.handleCode}
    </Tag>
  );
}
