import type { TableColumnsType } from "antd";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { FailedAttempt, Message } from "../../api/messages";
import { elapsed } from "../../lib/duration";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { Instant } from "../../ui/Instant";
import { ExecutorCell } from "../events/TransitionCells";
import { attemptLogPath } from "./paths";
import { useExecutorOf } from "./timelineOf";

/** What became of each attempt that did not succeed. */
export function FailedAttempts({ message }: { message: Message }) {
  const { t } = useTranslation();
  const executorOf = useExecutorOf(message);
  const columns: TableColumnsType<FailedAttempt> = [
    { key: "attempt", title: t("messages.attempt"), render: (_, each) => <span className="tabular">{each.attempt}</span> },
    { key: "started", title: t("messages.started"), render: (_, each) => <Instant at={each.startedAt} as="precise" /> },
    { key: "took", title: t("messages.took"), align: "right", render: (_, each) => <Took attempt={each} /> },
    { key: "code", title: t("messages.code"), align: "right", render: (_, each) => <span className="tabular">{each.code}</span> },
    { key: "error", title: t("messages.error"), render: (_, each) => <span className="wide-text">{each.error}</span> },
    { key: "executor", title: t("messages.executor"), render: (_, each) => <ExecutorCell executor={executorOf(each.executorId)} /> },
    { key: "log", title: t("messages.log"), render: (_, each) => <LogLink message={message} logId={each.logId} /> },
  ];
  return (
    <DataTable
      label={t("messages.tabs.attempts")}
      columns={columns}
      rowKey={(each) => `${each.logId ?? each.attempt}`}
      rows={message.failures}
      error={null}
      onRetry={() => undefined}
      empty={<EmptyList filtered={false} title={t("messages.noFailures")} />}
    />
  );
}

function LogLink({ message, logId }: { message: Message; logId: string | null }) {
  const { t } = useTranslation();
  return logId === null ? (
    t("common.none")
  ) : (
    <Link className="tabular" to={attemptLogPath(message.queue, message.id, logId)}>
      {t("messages.logOf", { logId })}
    </Link>
  );
}

function Took({ attempt: { startedAt, endedAt } }: { attempt: FailedAttempt }) {
  const { t } = useTranslation();
  const took = startedAt === null || endedAt === null ? null : endedAt.getTime() - startedAt.getTime();
  return <span className="tabular">{took === null ? t("common.none") : elapsed(Math.max(0, took))}</span>;
}
