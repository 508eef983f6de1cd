import { type TableColumnsType, Tooltip } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { DeadGroup, DeadLetter } from "../../api/deadLetters";
import { type RunStatus, runStatuses } from "../../api/runs";
import { Instant } from "../../ui/Instant";
import { AttemptText } from "../queues/messageLook";
import { queuePath } from "../queues/paths";
import { CauseText } from "../runs/CauseText";
import { deadLettersPath, letterPath } from "./paths";

export function useDeadColumns(): TableColumnsType<DeadLetter> {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        key: "what",
        title: t("dead.what"),
        render: (_, letter) => (
          <Link className="tabular" to={letterPath(letter)}>
            {t(`dead.kinds.${letter.kind}`)} #{letter.id}
          </Link>
        ),
      },
      { key: "where", title: t("dead.where"), render: (_, letter) => <Place of={letter} handler={letter.handler} /> },
      { key: "error", title: t("messages.error"), render: (_, letter) => <ErrorCell letter={letter} /> },
      { key: "died", title: t("dead.died"), render: (_, letter) => <Instant at={letter.diedAt} /> },
      { key: "attempt", title: t("messages.attempt"), responsive: ["md"], render: (_, letter) => <AttemptText of={letter} /> },
      { key: "pushed", title: t("messages.pushed"), responsive: ["xxl"], render: (_, letter) => <Instant at={letter.pushedAt} /> },
      {
        key: "payload",
        title: t("messages.payload"),
        responsive: ["xl"],
        className: "shrinking",
        render: (_, letter) => <span className="mono muted">{letter.payload}</span>,
      },
    ],
    [t],
  );
}

type PlaceProps = { of: Pick<DeadLetter | DeadGroup, "queue" | "jobId" | "jobName">; handler?: string | null };

/** The queue of a message, the job of a run. */
export function Place({ of: { queue, jobId, jobName }, handler = null }: PlaceProps) {
  const { t } = useTranslation();
  if (queue !== null) {
    return (
      <Link className="strong clip" to={queuePath(queue)}>
        {queue}
      </Link>
    );
  }
  if (jobId === null) {
    return t("common.none");
  }
  return (
    <span className="two-lines">
      <Link className="strong clip" to={`/jobs/${jobId}`}>
        {jobName ?? `#${jobId}`}
      </Link>
      {handler === null ? null : <span className="mono muted">{handler}</span>}
    </span>
  );
}

/** What went wrong, why nothing followed, and the way to all that went wrong in the same way. */
function ErrorCell({ letter: { kind, cause, error, fingerprint } }: { letter: DeadLetter }) {
  const { t } = useTranslation();
  return (
    <span className="message-error">
      <span className="clip-wide" title={error ?? ""}>
        {error ?? t("common.none")}
      </span>
      <span className="small muted clip-wide">
        {fingerprint === null ? null : (
          <>
            <Tooltip title={t("dead.alike")}>
              <Link className="mono fingerprint" to={deadLettersPath({ fingerprint })}>
                {fingerprint}
              </Link>
            </Tooltip>
            {" · "}
          </>
        )}
        <Why kind={kind} cause={cause} />
      </span>
    </span>
  );
}

const isStatus = (cause: string | null): cause is RunStatus => (runStatuses as readonly (string | null)[]).includes(cause);

/** A run says how it ended, where nothing else ended it. */
function Why({ kind, cause }: Pick<DeadLetter, "kind" | "cause">) {
  const { t } = useTranslation();
  return kind === "RUN" && isStatus(cause) ? t(`status.${cause}`) : <CauseText cause={cause} of={kind} />;
}
