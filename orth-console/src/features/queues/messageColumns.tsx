import { type TableColumnsType, Tag, Tooltip } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Message, MessageStatus } from "../../api/messages";
import { elapsed } from "../../lib/duration";
import { useNow } from "../../lib/useNow";
import { Instant } from "../../ui/Instant";
import { CauseText } from "../runs/CauseText";
import { AttemptText, LaneText } from "./messageLook";
import { messagePath } from "./paths";

type Column = "id" | "lane" | "attempt" | "pushed" | "due" | "since" | "ended" | "keys" | "cause" | "error" | "result" | "payload";

/** What is worth knowing of a message that stands there. A new status does not compile until it says. */
const shown: Record<MessageStatus, readonly Column[]> = {
  WAITING: ["id", "lane", "due", "attempt", "pushed", "keys", "payload"],
  RUNNING: ["id", "lane", "since", "attempt", "pushed", "keys", "payload"],
  DONE: ["id", "lane", "ended", "attempt", "pushed", "keys", "result", "payload"],
  DEAD: ["id", "ended", "attempt", "cause", "error", "payload"],
  DISCARDED: ["id", "lane", "ended", "attempt", "pushed", "keys", "payload"],
};

export function useMessageColumns(status: MessageStatus): TableColumnsType<Message> {
  const { t } = useTranslation();
  return useMemo(() => {
    const columns: Record<Column, TableColumnsType<Message>[number]> = {
      id: {
        title: t("messages.id"),
        render: (_, message) => (
          <Link className="tabular" to={messagePath(message.queue, message.id)}>
            #{message.id}
          </Link>
        ),
      },
      lane: { title: t("messages.lane"), render: (_, message) => <LaneText lane={message.lane} /> },
      attempt: { title: t("messages.attempt"), render: (_, message) => <AttemptText of={message} /> },
      pushed: { title: t("messages.pushed"), responsive: ["md"], render: (_, message) => <Instant at={message.pushedAt} /> },
      due: { title: t("messages.due"), render: (_, message) => <DueCell message={message} /> },
      since: { title: t("messages.since"), align: "right", render: (_, message) => <RunningFor message={message} /> },
      ended: { title: t(`messages.ended.${status}`), render: (_, message) => <Instant at={message.statusAt} /> },
      keys: { title: t("messages.keys"), responsive: ["lg"], render: (_, message) => <KeysCell message={message} /> },
      cause: { title: t("messages.cause"), responsive: ["md"], render: (_, message) => <CauseText cause={message.cause} of="MESSAGE" /> },
      error: { title: t("messages.error"), render: (_, message) => <ErrorCell message={message} /> },
      result: { title: t("messages.result"), responsive: ["lg"], render: (_, message) => <Clipped text={message.result ?? ""} /> },
      payload: {
        title: t("messages.payload"),
        responsive: ["md"],
        className: "shrinking",
        render: (_, message) => <span className="mono muted">{start(message.payload)}</span>,
      },
    };
    return shown[status].map((key) => Object.assign(columns[key], { key }));
  }, [t, status]);
}

const longestStart = 200;

/** No more of it than a cell can show. */
const start = (text: string): string => text.slice(0, longestStart);

function Clipped({ text }: { text: string }) {
  const { t } = useTranslation();
  return text === "" ? t("common.none") : <span className="mono clip">{start(text)}</span>;
}

function DueCell({ message }: { message: Message }) {
  const { t } = useTranslation();
  return (
    <span className="last-run">
      <Instant at={message.dueAt} as="relative" />
      {message.blocked ? (
        <Tooltip title={t("messages.blockedHint")}>
          <Tag>{t("messages.blocked")}</Tag>
        </Tooltip>
      ) : null}
    </span>
  );
}

/** How long its attempt has been going on. */
export function RunningFor({ message }: { message: Message }) {
  const { t } = useTranslation();
  const now = useNow();
  return (
    <span className="tabular">
      {message.claimedAt === null ? t("common.none") : elapsed(Math.max(0, now.getTime() - message.claimedAt.getTime()))}
    </span>
  );
}

function KeysCell({ message }: { message: Message }) {
  const { t } = useTranslation();
  if (message.uniqueKey === null && message.groupKey === null) {
    return t("common.none");
  }
  return (
    <span className="two-lines">
      {message.uniqueKey === null ? null : (
        <span title={message.uniqueKey}>
          <span className="muted">{t("messages.uniqueShort")}</span> <span className="mono">{message.uniqueKey}</span>
        </span>
      )}
      {message.groupKey === null ? null : (
        <span title={message.groupKey}>
          <span className="muted">{t("messages.groupShort")}</span> <span className="mono">{message.groupKey}</span>
        </span>
      )}
    </span>
  );
}

function ErrorCell({ message }: { message: Message }) {
  const { t } = useTranslation();
  return (
    <span className="message-error">
      <span className="clip-wide" title={message.error ?? ""}>
        {message.error ?? t("common.none")}
      </span>
      {message.fingerprint === null ? null : (
        <Tooltip title={t("messages.fingerprintHint")}>
          <span className="mono muted small">{message.fingerprint}</span>
        </Tooltip>
      )}
    </span>
  );
}
