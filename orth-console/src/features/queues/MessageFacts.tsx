import { Tag } from "antd";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Message } from "../../api/messages";
import { Fact, Facts } from "../../ui/Facts";
import { Instant } from "../../ui/Instant";
import { ExecutorCell } from "../events/TransitionCells";
import { CauseText } from "../runs/CauseText";
import { attemptLogPath } from "./paths";
import { AttemptText, LaneText } from "./messageLook";
import { RunningFor } from "./messageColumns";
import { useExecutorOf } from "./timelineOf";

/** Everything about a message that is short. */
export function MessageFacts({ message }: { message: Message }) {
  const { t } = useTranslation();
  const executorOf = useExecutorOf(message);
  return (
    <Facts>
      <Fact name={t("messages.attempt")}>
        <AttemptText of={message} />
      </Fact>
      <Fact name={t("messages.lane")}>
        <LaneText lane={message.lane} />
      </Fact>
      <Times message={message} />
      {message.executorId === null ? null : (
        <Fact name={t("messages.executor")}>
          <ExecutorCell executor={executorOf(message.executorId)} />
        </Fact>
      )}
      {message.logId === null ? null : (
        <Fact name={t("messages.log")}>
          <Link className="tabular" to={attemptLogPath(message.queue, message.id, message.logId)}>
            {t("messages.logOf", { logId: message.logId })}
          </Link>
        </Fact>
      )}
      <TextFact name={t("messages.uniqueKey")} text={message.uniqueKey} />
      <TextFact name={t("messages.groupKey")} text={message.groupKey} />
      {message.cause === null ? null : (
        <Fact name={t("messages.cause")}>
          <CauseText cause={message.cause} of="MESSAGE" />
        </Fact>
      )}
      <TextFact name={t("messages.fingerprint")} text={message.fingerprint} />
      <TextFact name={t("messages.trace")} text={message.traceId} />
      <Metadata entries={Object.entries(message.metadata)} />
    </Facts>
  );
}

function Times({ message }: { message: Message }) {
  const { t } = useTranslation();
  const { status } = message;
  return (
    <>
      <Fact name={t("messages.pushed")}>
        <Instant at={message.pushedAt} as="precise" />
      </Fact>
      {message.dueAt === null ? null : (
        <Fact name={t("messages.due")}>
          <Instant at={message.dueAt} as="precise" /> {message.blocked ? <Tag>{t("messages.blocked")}</Tag> : null}
        </Fact>
      )}
      <Fact name={t("messages.begun")}>
        <Instant at={message.claimedAt} as="precise" />
      </Fact>
      {status === "RUNNING" ? (
        <Fact name={t("messages.since")}>
          <RunningFor message={message} />
        </Fact>
      ) : (
        <Fact name={t(`messages.ended.${status}`)}>
          <Instant at={message.statusAt} as="precise" />
        </Fact>
      )}
    </>
  );
}

/** Nothing where there is none. */
function TextFact({ name, text }: { name: string; text: string | null }) {
  return text === null ? null : (
    <Fact name={name}>
      <span className="mono clip" title={text}>
        {text}
      </span>
    </Fact>
  );
}

function Metadata({ entries }: { entries: [string, string][] }) {
  const { t } = useTranslation();
  if (entries.length === 0) {
    return null;
  }
  return (
    <Fact name={t("messages.metadata")}>
      {entries.map(([name, value]) => (
        <div key={name} className="mono">
          {name}={value}
        </div>
      ))}
    </Fact>
  );
}
