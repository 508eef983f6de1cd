import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { AttemptLog, readPieceOf, readWholeAttempt } from "../../api/attemptLog";
import type { LineBuffer } from "../../lib/lineBuffer";
import { LogPanel } from "../runs/log/LogPanel";
import { useLog } from "../runs/log/useLog";

type Props = {
  /** Where the log is read. */
  path: string;
  logId: string;
};

/** What a handler wrote in one attempt: the end of it, where errors are, and all of it on request. */
export function AttemptLogPanel({ path, logId }: Props) {
  const { t } = useTranslation();
  const [whole, setWhole] = useState(false);
  const open = useCallback(
    (buffer: LineBuffer, onChange: () => void) => new AttemptLog({ read: readPieceOf(path), buffer, whole, onChange }),
    [path, whole],
  );
  const log = useLog(open);
  return (
    <LogPanel
      log={log}
      label={t("log.ofAttempt", { logId })}
      fileName={`attempt-${logId}.log`}
      readWhole={() => readWholeAttempt(path)}
      offline={t("log.offlineAttempt")}
      placeholder={log.state !== "ended" ? t("log.waiting") : t(log.exists === true ? "log.emptyAttempt" : "log.noAttemptLog")}
      earlier={log.skipped === 0 || whole ? undefined : { bytes: log.skipped, read: () => setWhole(true) }}
    />
  );
}
