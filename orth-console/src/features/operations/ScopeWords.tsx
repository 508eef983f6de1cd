import { Tag } from "antd";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type DeadFilter, deadFilterKeys, type DeadKind, deadKinds } from "../../api/deadLetters";
import type { Operation, Scope } from "../../api/operations";
import { formatInstant } from "../../lib/time";
import { deadLettersPath } from "../deadLetters/paths";
import { queuePath } from "../queues/paths";

/** What an operation concerns. */
export function OperationScope({ of: { action, queue, filter, ids, all, total } }: { of: Operation }) {
  const { t } = useTranslation();
  if (action === "PURGE") {
    return queue === null ? t("common.none") : <Link to={queuePath(queue)}>{t("operations.waitingIn", { queue })}</Link>;
  }
  if (filter !== null && filter !== undefined && !isEmpty(filter)) {
    return (
      <Link to={deadLettersPath(present(filter))} title={t("operations.toMatching")}>
        <ScopeWords scope={{ filter }} />
      </Link>
    );
  }
  return all === true ? t("operations.everything") : t("operations.chosen", { count: ids?.length ?? total });
}

/** What a new one would concern. */
export function ScopeWords({ scope }: { scope: Scope }) {
  const { t } = useTranslation();
  if ("all" in scope) {
    return t("operations.everything");
  }
  return "ids" in scope ? t("operations.chosen", { count: scope.ids.length }) : <FilterWords filter={scope.filter} />;
}

/** The server sends what is not set as null. */
const present = (filter: DeadFilter): DeadFilter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => (value as string | null) !== null));

const isEmpty = (filter: DeadFilter): boolean => Object.keys(present(filter)).length === 0;

const isKind = (text: string): text is DeadKind => (deadKinds as readonly string[]).includes(text);

/** What is no time is shown as it came. */
const instant = (text: string): string => (Number.isNaN(Date.parse(text)) ? text : formatInstant(new Date(text)));

function FilterWords({ filter }: { filter: DeadFilter }) {
  const { t } = useTranslation();
  const set = present(filter);
  const value: Record<keyof DeadFilter, (text: string) => string> = {
    kind: (text) => (isKind(text) ? t(`dead.kinds.${text}`) : text),
    queue: (text) => text,
    jobId: (text) => `#${text}`,
    handler: (text) => text,
    traceId: (text) => text,
    fingerprint: (text) => text,
    error: (text) => text,
    from: instant,
    to: instant,
  };
  return (
    <span className="filter-words">
      {deadFilterKeys.map((key) =>
        set[key] === undefined ? null : (
          <Tag key={key} title={set[key]}>
            <span className="muted">{t(`operations.filter.${key}`)}</span> {value[key](set[key])}
          </Tag>
        ),
      )}
    </span>
  );
}
