import { PauseCircleOutlined } from "@ant-design/icons";
import { type TableColumnsType, Tag, Tooltip } from "antd";
import { type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { QueueAlert } from "../../api/queueAlerts";
import type { Queue } from "../../api/queues";
import { elapsed } from "../../lib/duration";
import { useMay } from "../auth/session";
import { FiringTag } from "../queueAlerts/FiringTag";
import { queuePath } from "./paths";
import { QueueActions } from "./QueueActions";

/** `alerts` are those that fire now. */
export function useQueueColumns(alerts: readonly QueueAlert[]): TableColumnsType<Queue> {
  const { t, i18n } = useTranslation();
  const operates = useMay("operate");
  return useMemo(() => {
    const count = new Intl.NumberFormat(i18n.language);
    const figure = (key: string, title: ReactNode, render: (queue: Queue) => ReactNode): TableColumnsType<Queue>[number] => ({
      key,
      title,
      align: "right",
      render: (_, queue) => <span className="tabular">{render(queue)}</span>,
    });
    const columns: TableColumnsType<Queue> = [
      { key: "name", title: t("queues.name"), render: (_, queue) => <NameCell queue={queue} alerts={alerts} /> },
      {
        key: "group",
        title: t("queues.group"),
        responsive: ["md"],
        render: (_, queue) => <span className="clip">{queue.groupName ?? t("common.none")}</span>,
      },
      figure("waiting", t("messageStatus.WAITING"), (queue) => count.format(queue.waiting)),
      figure("running", t("messageStatus.RUNNING"), (queue) => count.format(queue.running)),
      figure("dead", t("messageStatus.DEAD"), (queue) => <DeadCount queue={queue} format={count.format} />),
      figure("oldest", t("queues.oldest"), (queue) => <OldestAge queue={queue} />),
      figure("workers", t("queues.workers"), (queue) => <WorkerCount queue={queue} format={count.format} />),
      figure("done", <Lately text={t("queues.done")} />, (queue) => count.format(queue.lately.done)),
      figure("failed", <Lately text={t("queues.failed")} />, (queue) => (
        <span className={queue.lately.failed > 0 ? "danger" : ""}>{count.format(queue.lately.failed)}</span>
      )),
      { ...figure("wait", <Lately text={t("queues.wait")} />, (queue) => <Average millis={queue.lately.waitMillis} />), responsive: ["lg"] },
      { ...figure("run", <Lately text={t("queues.run")} />, (queue) => <Average millis={queue.lately.runMillis} />), responsive: ["lg"] },
    ];
    if (operates) {
      columns.push({
        key: "actions",
        title: <span className="off-screen">{t("common.actions")}</span>,
        align: "right",
        render: (_, queue) => <QueueActions queue={queue} />,
      });
    }
    return columns;
  }, [t, i18n.language, operates, alerts]);
}

function NameCell({ queue, alerts }: { queue: Queue; alerts: readonly QueueAlert[] }) {
  return (
    <span className="last-run">
      <Link className="strong clip" to={queuePath(queue.name)}>
        {queue.name}
      </Link>
      <PausedTag queue={queue} />
      <FiringTag queue={queue.name} alerts={alerts} />
    </span>
  );
}

export function PausedTag({ queue }: { queue: Queue }) {
  const { t } = useTranslation();
  return queue.paused ? (
    <Tooltip title={t("queues.pausedHint")}>
      <Tag color="warning" icon={<PauseCircleOutlined />}>
        {t("queues.paused")}
      </Tag>
    </Tooltip>
  ) : null;
}

/** What the column counts is of the last minutes. */
function Lately({ text }: { text: string }) {
  const { t } = useTranslation();
  return <Tooltip title={t("queues.lately")}>{text}</Tooltip>;
}

type CountProps = { queue: Queue; format: (value: number) => string };

/** Leads to those that somebody has to decide about. */
export function DeadCount({ queue, format }: CountProps) {
  return queue.dead === 0 ? (
    format(0)
  ) : (
    <Link className="danger strong" to={`${queuePath(queue.name)}?status=DEAD`}>
      {format(queue.dead)}
    </Link>
  );
}

export function OldestAge({ queue }: { queue: Queue }) {
  const { t } = useTranslation();
  return queue.oldestSeconds === 0 ? t("common.none") : elapsed(queue.oldestSeconds * 1000);
}

/** Nobody to do what waits is worth a second look. */
export function WorkerCount({ queue, format }: CountProps) {
  const { t } = useTranslation();
  if (queue.workers > 0 || queue.waiting === 0) {
    return format(queue.workers);
  }
  return (
    <Tooltip title={t("queues.noWorkers")}>
      <span className="danger strong">{format(0)}</span>
    </Tooltip>
  );
}

export function Average({ millis }: { millis: number | null }) {
  const { t } = useTranslation();
  return millis === null ? t("common.none") : elapsed(millis);
}
