import { CheckCircleOutlined, CloseCircleOutlined, DisconnectOutlined, MinusCircleOutlined, VerticalAlignBottomOutlined, WarningOutlined } from "@ant-design/icons";
import { type TableColumnsType, Tag, Tooltip } from "antd";
import { type ComponentType, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Executor, ExecutorStatus } from "../../api/executors";
import { Instant } from "../../ui/Instant";
import { ExecutorActions } from "./ExecutorActions";
import { megabytes, percent } from "./metricWords";

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
      { key: "status", title: t("executors.status"), render: (_, each) => <ExecutorTag executor={each} /> },
      { key: "address", title: t("executors.address"), render: (_, each) => <span className="mono">{each.address}</span> },
      { key: "kind", title: t("executors.kind"), render: (_, each) => <KindTag executor={each} /> },
      { key: "host", title: t("executors.host"), render: (_, each) => each.host ?? none },
      { key: "work", title: t("executors.work"), render: (_, each) => <Work executor={each} /> },
      {
        key: "cpu",
        title: t("executors.cpu"),
        align: "right",
        render: (_, each) => <span className="tabular">{percent(each.metrics?.processCpu) ?? none}</span>,
      },
      {
        key: "hostLoad",
        title: (
          <Tooltip title={t("executors.hostLoadHint")}>
            <span>{t("executors.hostLoad")}</span>
          </Tooltip>
        ),
        align: "right",
        responsive: ["lg"],
        render: (_, each) => <span className="tabular">{percent(each.metrics?.cpu) ?? none}</span>,
      },
      {
        key: "rss",
        title: t("executors.rss"),
        align: "right",
        render: (_, each) => <span className="tabular">{each.metrics === null ? none : megabytes(each.metrics.ram.rss)}</span>,
      },
      { key: "heap", title: t("executors.heap"), align: "right", render: (_, each) => <Heap executor={each} /> },
      { key: "beat", title: t("executors.lastBeat"), render: (_, each) => <Instant at={each.lastBeatAt} as="relative" /> },
      { key: "pid", title: t("executors.pid"), responsive: ["xl"], render: (_, each) => <span className="tabular">{each.pid ?? none}</span> },
      { key: "version", title: t("executors.version"), responsive: ["xl"], render: (_, each) => each.version ?? none },
      { key: "registered", title: t("executors.registered"), responsive: ["xxl"], render: (_, each) => <Instant at={each.registeredAt} /> },
      {
        key: "instance",
        title: t("executors.instance"),
        responsive: ["xxl"],
        render: (_, each) => <span className="mono muted clip">{each.instanceId}</span>,
      },
      { key: "actions", title: <span className="off-screen">{t("common.actions")}</span>, render: (_, each) => <ExecutorActions executor={each} /> },
    ];
  }, [t]);
}

function ExecutorTag({ executor }: { executor: Executor }) {
  const { t } = useTranslation();
  if (executor.draining) {
    return (
      <Tooltip title={t("executors.drainingHint")}>
        <Tag color="warning" icon={<VerticalAlignBottomOutlined />}>
          {t("executors.draining")}
        </Tag>
      </Tooltip>
    );
  }
  if (executor.unreachable) {
    return (
      <Tooltip title={t("executors.unreachableHint")}>
        <Tag color="error" icon={<DisconnectOutlined />}>
          {t("executors.unreachable")}
        </Tag>
      </Tooltip>
    );
  }
  const { color, Icon } = executorLook[executor.status];
  return (
    <Tag color={color} icon={<Icon />}>
      {t(`executorStatus.${executor.status}`)}
    </Tag>
  );
}

function KindTag({ executor }: { executor: Executor }) {
  const { t } = useTranslation();
  const name = t(`executorKind.${executor.kind}`);
  return executor.kind === "ORTH" ? (
    name
  ) : (
    <Tooltip title={t("executors.foreignHint")}>
      <Tag>{name}</Tag>
    </Tooltip>
  );
}

function Work({ executor }: { executor: Executor }) {
  const { t } = useTranslation();
  if (executor.metrics === null) {
    return t("common.none");
  }
  const { running, queued, leakedThreads } = executor.metrics;
  return (
    <>
      <span className="tabular">{t("executors.workNow", { running, queued })}</span>
      {leakedThreads > 0 ? (
        <Tooltip title={t("executors.leakedHint")}>
          <Tag color="error" icon={<WarningOutlined />}>
            {t("executors.leaked", { count: leakedThreads })}
          </Tag>
        </Tooltip>
      ) : null}
    </>
  );
}

function Heap({ executor }: { executor: Executor }) {
  const { t } = useTranslation();
  if (executor.metrics === null) {
    return t("common.none");
  }
  const { heapUsed, heapTotal } = executor.metrics.ram;
  return <span className="tabular">{t("executors.heapOf", { used: megabytes(heapUsed), total: megabytes(heapTotal) })}</span>;
}
