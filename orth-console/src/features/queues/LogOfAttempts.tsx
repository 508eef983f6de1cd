import { Empty, Select } from "antd";
import { useTranslation } from "react-i18next";
import { messageLogPath } from "../../api/attemptLog";
import type { Message } from "../../api/messages";
import { useUrlFilter } from "../../lib/useUrlFilter";
import { AttemptLogPanel } from "./AttemptLogPanel";

type Attempt = { attempt: number; logId: string; failed: boolean };

/** The attempts that have a log, the last one last. */
export function attemptsOf({ failures, logId, attempt }: Message): Attempt[] {
  const failed = failures.flatMap((each) => (each.logId === null ? [] : [{ attempt: each.attempt, logId: each.logId, failed: true }]));
  return logId === null || failed.some((each) => each.logId === logId) ? failed : [...failed, { attempt, logId, failed: false }];
}

/** The log of one attempt at a message; of the last one unless the address names another. */
export function LogOfAttempts({ message }: { message: Message }) {
  const { t } = useTranslation();
  const url = useUrlFilter(["log"] as const);
  const attempts = attemptsOf(message);
  const chosen = attempts.find((each) => each.logId === url.values.log) ?? attempts.at(-1);
  if (chosen === undefined) {
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t("messages.noAttempt")} />;
  }
  return (
    <div className="message-log">
      {attempts.length < 2 ? null : (
        <Select
          className="attempt-select"
          aria-label={t("messages.whichAttempt")}
          value={chosen.logId}
          onChange={(log: string) => url.set({ log })}
          options={attempts.toReversed().map((each) => ({
            value: each.logId,
            label: t(each.failed ? "messages.attemptFailed" : "messages.attemptNow", { attempt: each.attempt }),
          }))}
        />
      )}
      <AttemptLogPanel key={chosen.logId} path={messageLogPath(message.queue, message.id, chosen.logId)} logId={chosen.logId} />
    </div>
  );
}
