import { DownloadOutlined } from "@ant-design/icons";
import { useMutation } from "@tanstack/react-query";
import { Alert, Button, Checkbox } from "antd";
import { useTranslation } from "react-i18next";
import { readWholeLog } from "../../../api/runLog";
import type { Run } from "../../../api/runs";
import { stripAnsi } from "../../../lib/ansi";
import { saveFile } from "../../../lib/clipboard";
import { changePreferences, preferences } from "../../../lib/preferences";
import { useStore } from "../../../lib/store";
import { CopyButton } from "../../../ui/CopyButton";
import { useReport } from "../../../ui/useReport";
import { LogViewer } from "./LogViewer";
import { RunProgress } from "./RunProgress";
import { type RunLog, useRunLog } from "./useRunLog";

/** The log of a run: live while it runs, whole afterwards. */
export function LogTab({ run }: { run: Run }) {
  const { t } = useTranslation();
  const log = useRunLog(run.id);
  const { wrapLog } = useStore(preferences);
  return (
    <div className="log-tab">
      <LogToolbar run={run} log={log} wrap={wrapLog} />
      {log.state === "unavailable" ? (
        <Alert
          type="warning"
          showIcon
          title={t("log.offline", { executor: run.executorAddress ?? t("common.none") })}
          description={
            <>
              {log.message === "" ? null : <div>{log.message}</div>}
              {t("log.offlineHint")}
            </>
          }
          className="form-alert"
        />
      ) : null}
      {log.state === "unavailable" && log.buffer.length === 0 ? null : (
        <LogViewer log={log} wrap={wrapLog} label={t("log.label", { id: run.id })} placeholder={<Nothing run={run} log={log} />} />
      )}
    </div>
  );
}

function LogToolbar({ run, log, wrap }: { run: Run; log: RunLog; wrap: boolean }) {
  const { t } = useTranslation();
  const report = useReport();
  const download = useMutation({
    mutationFn: () => readWholeLog(run.id),
    onSuccess: (parts) => saveFile(`run-${run.id}.log`, parts),
    onError: report.failed,
  });
  const lines = log.buffer.dropped + log.buffer.length;
  return (
    <div className="log-toolbar">
      <output className="log-state" data-state={log.state}>
        <span className="freshness-dot" aria-hidden="true" />
        {t(`log.${log.state}`)}
      </output>
      <span className="muted tabular">{t("log.lines", { count: lines })}</span>
      <RunProgress run={run} percent={log.progress} />
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

/** What stands where lines would be. */
function Nothing({ run, log }: { run: Run; log: RunLog }) {
  const { t } = useTranslation();
  if (run.status === "SKIPPED") {
    return t("log.skipped");
  }
  if (run.status === "TRIGGER_FAILED") {
    return t("log.notSent");
  }
  return log.state === "ended" ? t("log.empty") : t("log.waiting");
}
