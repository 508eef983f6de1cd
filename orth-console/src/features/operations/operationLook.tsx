import { CheckCircleOutlined, PauseCircleOutlined, StopOutlined, SyncOutlined } from "@ant-design/icons";
import { Progress, Tag } from "antd";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { type Operation, type OperationStatus, percentOf } from "../../api/operations";

type Look = {
  color: "default" | "processing" | "success" | "warning";
  Icon: ComponentType<{ spin?: boolean }>;
  bar: "active" | "normal" | "success";
};

/** A new status does not compile until it has a look here. */
export const operationLook: Record<OperationStatus, Look> = {
  RUNNING: { color: "processing", Icon: SyncOutlined, bar: "active" },
  PAUSED: { color: "warning", Icon: PauseCircleOutlined, bar: "normal" },
  DONE: { color: "success", Icon: CheckCircleOutlined, bar: "success" },
  ABORTED: { color: "default", Icon: StopOutlined, bar: "normal" },
};

export function OperationTag({ status }: { status: OperationStatus }) {
  const { t } = useTranslation();
  const { color, Icon } = operationLook[status];
  return (
    <Tag color={color} icon={<Icon spin={status === "RUNNING"} />}>
      {t(`operations.statuses.${status}`)}
    </Tag>
  );
}

/** How far it is, as a bar and in figures. */
export function OperationProgress({ of }: { of: Operation }) {
  const { t } = useTranslation();
  const over = of.done + of.skipped + of.failed;
  return (
    <span className="operation-progress">
      <Progress
        percent={percentOf(of)}
        size="small"
        status={operationLook[of.status].bar}
        showInfo={false}
        aria-label={t("operations.progressOf", { id: of.id })}
      />
      <span className="tabular">{t("operations.overOf", { over, total: of.total })}</span>
    </span>
  );
}
