import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Reason } from "../../../api/jsonText";
import { type Task, taskMillis } from "../../../api/pipelineTasks";
import { elapsed } from "../../../lib/duration";
import { useNow } from "../../../lib/useNow";
import { messagePath } from "../../queues/paths";

/** What a task is about. */
export const TargetText = ({ task }: { task: Task }) => (
  <span className="mono clip" title={`${task.targetType} ${task.targetId}`}>
    <span className="muted">{task.targetType}</span> {task.targetId}
  </span>
);

/** The message that carries its last attempt; none where a webhook is told, or nothing was sent yet. */
export function MessageLink({ task }: { task: Task }) {
  const { t } = useTranslation();
  return task.queue === null || task.messageId === null ? (
    <span className="muted">{t("common.none")}</span>
  ) : (
    <Link className="tabular" to={messagePath(task.queue, task.messageId)}>
      #{task.messageId}
    </Link>
  );
}

export function TaskTook({ task }: { task: Task }) {
  const { t } = useTranslation();
  const now = useNow();
  const took = taskMillis(task, now);
  return <span className="tabular">{took === null ? t("common.none") : elapsed(took)}</span>;
}

/** Why it failed, in one line. */
export function ReasonText({ reason }: { reason: Reason | null }) {
  const { t } = useTranslation();
  if (reason === null) {
    return <span className="muted">{t("common.none")}</span>;
  }
  return (
    <span className="message-error">
      <span className="clip-wide" title={reason.message}>
        {reason.message === "" ? reason.detail : reason.message}
      </span>
      {reason.code === "" ? null : <span className="mono muted small">{reason.code}</span>}
    </span>
  );
}
