import type { TableColumnsType } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { LogLine } from "../../api/systemLog";
import { Instant } from "../../ui/Instant";
import { LevelTag } from "./LevelTag";

const isAnother = (row: LogLine, before: LogLine): boolean => row !== before;

export const rowClassOf = (line: LogLine): string => `line-${line.level}`;

export function useLineColumns(): TableColumnsType<LogLine> {
  const { t } = useTranslation();
  return useMemo(() => {
    const columns: TableColumnsType<LogLine> = [
      { key: "at", title: t("systemLog.at"), render: (_, line) => <Instant at={line.at} as="precise" /> },
      { key: "level", title: t("systemLog.level"), render: (_, line) => <LevelTag level={line.level} /> },
      { key: "message", title: t("systemLog.message"), render: (_, line) => <span className="line-message">{line.message}</span> },
      {
        key: "worker",
        title: t("systemLog.worker"),
        render: (_, line) => <Others of={line.workerId} by="worker_id" title={t("systemLog.ofWorker")} />,
      },
      {
        key: "queue",
        title: t("systemLog.queue"),
        render: (_, line) => <Others of={line.queue} by="queue" title={t("systemLog.ofQueue")} />,
      },
      {
        key: "node",
        title: t("systemLog.node"),
        responsive: ["lg"],
        render: (_, line) => <span className="mono muted">{line.node}</span>,
      },
    ];
    // A line never changes, so a row that stands is not drawn again.
    return columns.map((column) => Object.assign(column, { shouldCellUpdate: isAnother }));
  }, [t]);
}

/** The way to all lines about the same. */
function Others({ of, by, title }: { of: string | null; by: "worker_id" | "queue"; title: string }) {
  const { t } = useTranslation();
  if (of === null) {
    return t("common.none");
  }
  return (
    <Link className="mono clip" title={title} to={`/system-log/archive?${by}=${encodeURIComponent(of)}`}>
      {of}
    </Link>
  );
}
