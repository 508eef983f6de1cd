import { DownloadOutlined } from "@ant-design/icons";
import { useMutation } from "@tanstack/react-query";
import { Alert, Button, Checkbox, Tooltip } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { stripAnsi } from "../../../lib/ansi";
import { saveFile } from "../../../lib/clipboard";
import { changePreferences, preferences } from "../../../lib/preferences";
import { useStore } from "../../../lib/store";
import { zoneLabel } from "../../../lib/time";
import { useNow } from "../../../lib/useNow";
import { CopyButton } from "../../../ui/CopyButton";
import { useReport } from "../../../ui/useReport";
import { LogViewer } from "./LogViewer";
import type { ShownLog } from "./useLog";

type Props = {
  log: ShownLog;
  /** What it is the log of; read by screen readers. */
  label: string;
  fileName: string;
  readWhole: () => Promise<string[]>;
  /** Said where the executor that keeps it cannot be reached. */
  offline: string;
  /** What stands where lines would be. */
  placeholder: ReactNode;
  /** How far the work is, where it says so. */
  progress?: ReactNode;
  /** Its beginning that was not read, and how to read it. */
  earlier?: { bytes: number; read: () => void } | undefined;
};

/** A log with its state and what can be done with it. */
export function LogPanel({ log, label, fileName, readWhole, offline, placeholder, progress, earlier }: Props) {
  const { t } = useTranslation();
  const { wrapLog } = useStore(preferences);
  return (
    <div className="log-tab">
      <LogToolbar log={log} fileName={fileName} readWhole={readWhole} progress={progress} numbered={earlier === undefined} wrap={wrapLog} />
      {log.state === "unavailable" ? (
        <Alert
          type="warning"
          showIcon
          title={offline}
          description={
            <>
              {log.message === "" ? null : <div>{log.message}</div>}
              {t("log.offlineHint")}
            </>
          }
          className="form-alert"
        />
      ) : null}
      {earlier === undefined ? null : (
        <p className="log-earlier muted">
          {t("log.earlier", { size: t("log.kilobytes", { count: Math.round(earlier.bytes / 1024) }) })}{" "}
          <Button size="small" onClick={earlier.read}>
            {t("log.readEarlier")}
          </Button>
        </p>
      )}
      {log.state === "unavailable" && log.buffer.length === 0 ? null : (
        <LogViewer log={log} wrap={wrapLog} label={label} placeholder={placeholder} numbered={earlier === undefined} />
      )}
    </div>
  );
}

/**
 * Lines have the time of the executor that wrote them, in its zone; all else is in the viewer's. The zone is named without its offset,
 * which may have been another when the lines were written.
 */
function LogClock({ executorZone }: { executorZone: string | null }) {
  const { t } = useTranslation();
  const zone = zoneLabel(useNow());
  return (
    <Tooltip title={executorZone === null ? t("log.clockHint", { zone }) : t("log.clockInHint", { executorZone, zone })}>
      <span className="muted small">{executorZone === null ? t("log.clock") : t("log.clockIn", { executorZone })}</span>
    </Tooltip>
  );
}

type ToolbarProps = Pick<Props, "log" | "fileName" | "readWhole" | "progress"> & { numbered: boolean; wrap: boolean };

function LogToolbar({ log, fileName, readWhole, progress, numbered, wrap }: ToolbarProps) {
  const { t } = useTranslation();
  const report = useReport();
  const download = useMutation({
    mutationFn: readWhole,
    onSuccess: (parts) => saveFile(fileName, parts),
    onError: report.failed,
  });
  const lines = log.buffer.dropped + log.buffer.length;
  return (
    <div className="log-toolbar">
      <output className="log-state" data-state={log.state}>
        <span className="freshness-dot" aria-hidden="true" />
        {t(`log.${log.state}`)}
      </output>
      <span className="muted tabular">{t(numbered ? "log.lines" : "log.lastLines", { count: lines })}</span>
      {progress}
      <LogClock executorZone={log.zone} />
      <span className="grow" />
      <Checkbox checked={wrap} onChange={(event) => void changePreferences({ wrapLog: event.target.checked })}>
        {t("log.wrap")}
      </Checkbox>
      <CopyButton size="small" label={t("log.copy")} disabled={lines === 0} text={() => stripAnsi(log.buffer.text())} />
      <Button
        size="small"
        icon={<DownloadOutlined />}
        disabled={lines === 0}
        loading={download.isPending}
        onClick={() => download.mutate()}
      >
        {t("log.download")}
      </Button>
    </div>
  );
}
