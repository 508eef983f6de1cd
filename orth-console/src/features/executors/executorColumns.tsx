import { CheckCircleOutlined, CloseCircleOutlined, MinusCircleOutlined } from "@ant-design/icons";
import { type TableColumnsType, Tag } from "antd";
import { type ComponentType, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Executor, ExecutorStatus } from "../../api/executors";
import { Instant } from "../../ui/Instant";

/** A new status does not compile until it has a look here. */
export const executorLook: Record<ExecutorStatus, { color: "success" | "default" | "error"; Icon: ComponentType }> = {
  ONLINE: { color: "success", Icon: CheckCircleOutlined },
  OFFLINE: { color: "default", Icon: MinusCircleOutlined },
  DEAD: { color: "error", Icon: CloseCircleOutlined },
};

export function useExecutorColumns(): TableColumnsType<Executor> {
  const { t } = useTranslation();
  return useMemo(() => {
    const none = t("common.none");
    return [
      { key: "status", title: t("executors.status"), render: (_, each) => <ExecutorTag status={each.status} /> },
      { key: "address", title: t("executors.address"), render: (_, each) => <span className="mono">{each.address}</span> },
      { key: "host", title: t("executors.host"), render: (_, each) => each.host ?? none },
      { key: "pid", title: t("executors.pid"), render: (_, each) => <span className="tabular">{each.pid ?? none}</span> },
      { key: "version", title: t("executors.version"), render: (_, each) => each.version ?? none },
      { key: "beat", title: t("executors.lastBeat"), render: (_, each) => <Instant at={each.lastBeatAt} as="relative" /> },
      { key: "registered", title: t("executors.registered"), render: (_, each) => <Instant at={each.registeredAt} /> },
      {
        key: "instance",
        title: t("executors.instance"),
        responsive: ["xl"],
        render: (_, each) => <span className="mono muted clip">{each.instanceId}</span>,
      },
    ];
  }, [t]);
}

function ExecutorTag({ status }: { status: ExecutorStatus }) {
  const { t } = useTranslation();
  const { color, Icon } = executorLook[status];
  return (
    <Tag color={color} icon={<Icon />}>
      {t(`executorStatus.${status}`)}
    </Tag>
  );
}
