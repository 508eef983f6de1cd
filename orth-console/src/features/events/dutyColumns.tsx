import { CheckCircleOutlined, ClockCircleOutlined, CloseCircleOutlined, MinusCircleOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { type TableColumnsType, Tag, Tooltip } from "antd";
import { type ComponentType, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { ClusterNode, Duty, Sink } from "../../api/cluster";
import { readSystem, systemKeys } from "../../api/system";
import { elapsed } from "../../lib/duration";
import { useNow } from "../../lib/useNow";
import { Instant } from "../../ui/Instant";
import { healthOf, type SinkHealth } from "./sinkHealth";

/** A new health does not compile until it has a look here. */
const healthLook: Record<SinkHealth, { color: "success" | "warning" | "error" | "default"; Icon: ComponentType }> = {
  healthy: { color: "success", Icon: CheckCircleOutlined },
  behind: { color: "warning", Icon: ClockCircleOutlined },
  parked: { color: "error", Icon: CloseCircleOutlined },
  idle: { color: "default", Icon: MinusCircleOutlined },
};

export function useSinkColumns(): TableColumnsType<Sink> {
  const { t, i18n } = useTranslation();
  return useMemo(() => {
    const count = new Intl.NumberFormat(i18n.language);
    const counted = (key: "waitingBatches" | "emitted" | "dropped", title: string) => ({
      key,
      title,
      align: "right" as const,
      render: (_: unknown, sink: Sink) => (
        <span className={key === "dropped" && sink.dropped > 0 ? "danger tabular" : "tabular"}>{count.format(sink[key])}</span>
      ),
    });
    return [
      { key: "name", title: t("duties.sink"), render: (_, sink) => <span className="mono">{sink.name}</span> },
      { key: "health", title: t("duties.health"), render: (_, sink) => <HealthTag sink={sink} /> },
      {
        key: "lag",
        title: t("duties.lag"),
        align: "right",
        render: (_, sink) => <span className="tabular">{sink.waitingSince === null ? t("common.none") : elapsed(sink.lagMillis)}</span>,
      },
      counted("waitingBatches", t("duties.waiting")),
      counted("emitted", t("duties.emitted")),
      counted("dropped", t("duties.dropped")),
      {
        key: "failures",
        title: t("duties.failures"),
        align: "right",
        render: (_, sink) => (
          <span className="tabular">
            {count.format(sink.failures)}
            {sink.failedInRow === 0 ? null : <span className="danger"> · {t("duties.failedInRow", { count: sink.failedInRow })}</span>}
          </span>
        ),
      },
      { key: "parked", title: t("duties.parkedSince"), render: (_, sink) => <Instant at={sink.parkedSince} /> },
      { key: "told", title: t("duties.lastTold"), render: (_, sink) => <Instant at={sink.emittedAt} as="relative" /> },
      {
        key: "error",
        title: t("duties.lastError"),
        render: (_, sink) => <span className="wide-text mono">{sink.lastError ?? t("common.none")}</span>,
      },
    ];
  }, [t, i18n.language]);
}

function HealthTag({ sink }: { sink: Sink }) {
  const { t } = useTranslation();
  const health = healthOf(sink, useNow());
  const { color, Icon } = healthLook[health];
  const tag = (
    <Tag color={color} icon={<Icon />}>
      {t(`duties.${health}`)}
    </Tag>
  );
  return health === "idle" ? <Tooltip title={t("duties.idleHint")}>{tag}</Tooltip> : tag;
}

export function useDutyColumns(): TableColumnsType<Duty> {
  const { t } = useTranslation();
  return useMemo(
    () => [
      { key: "duty", title: t("duties.duty"), render: (_, duty) => <span className="mono">{duty.duty}</span> },
      {
        key: "holder",
        title: t("duties.holder"),
        render: (_, duty) => (duty.held ? <NodeName id={duty.holder} /> : <Tag color="warning">{t("duties.nobody")}</Tag>),
      },
      { key: "since", title: t("duties.since"), render: (_, duty) => <Instant at={duty.held ? duty.acquiredAt : null} /> },
      {
        key: "term",
        title: <Tooltip title={t("duties.termHint")}>{t("duties.term")}</Tooltip>,
        align: "right",
        render: (_, duty) => <span className="tabular">{duty.term}</span>,
      },
    ],
    [t],
  );
}

export function useNodeColumns(): TableColumnsType<ClusterNode> {
  const { t } = useTranslation();
  return useMemo(
    () => [
      { key: "node", title: t("duties.node"), render: (_, node) => <NodeName id={node.id} /> },
      { key: "host", title: t("duties.host"), render: (_, node) => node.host },
      { key: "process", title: t("duties.process"), align: "right", render: (_, node) => <span className="tabular">{node.pid}</span> },
      { key: "version", title: t("duties.version"), render: (_, node) => node.version },
      { key: "started", title: t("duties.started"), render: (_, node) => <Instant at={node.startedAt} /> },
      { key: "number", title: t("duties.number"), align: "right", render: (_, node) => <span className="tabular">{node.number}</span> },
    ],
    [t],
  );
}

/** The one that this page asks is marked. */
function NodeName({ id }: { id: string }) {
  const { t } = useTranslation();
  const system = useQuery({ queryKey: systemKeys.all, queryFn: ({ signal }) => readSystem(signal) });
  return (
    <>
      <span className="mono">{id}</span> {system.data?.node === id ? <Tag>{t("duties.self")}</Tag> : null}
    </>
  );
}
