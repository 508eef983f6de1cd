import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { LogStream, readWholeLog } from "../../../api/runLog";
import type { Run } from "../../../api/runs";
import type { LineBuffer } from "../../../lib/lineBuffer";
import { LogPanel } from "./LogPanel";
import { RunProgress } from "./RunProgress";
import { type ShownLog, useLog } from "./useLog";

/** The log of a run: live while it runs, whole afterwards. */
export function LogTab({ run }: { run: Run }) {
  const { t } = useTranslation();
  const { id } = run;
  const open = useCallback((buffer: LineBuffer, onChange: () => void) => new LogStream({ runId: id, buffer, onChange }), [id]);
  const log = useLog(open);
  return (
    <LogPanel
      log={log}
      label={t("log.label", { id })}
      fileName={`run-${id}.log`}
      readWhole={() => readWholeLog(id)}
      offline={t("log.offline", { executor: run.executorAddress ?? t("common.none") })}
      placeholder={<Nothing run={run} log={log} />}
      progress={<RunProgress run={run} percent={log.progress} />}
    />
  );
}

/** What stands where lines would be. */
function Nothing({ run, log }: { run: Run; log: ShownLog }) {
  const { t } = useTranslation();
  if (run.status === "SKIPPED") {
    return t("log.skipped");
  }
  if (run.status === "TRIGGER_FAILED") {
    return t("log.notSent");
  }
  return log.state === "ended" ? t("log.empty") : t("log.waiting");
}
