import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Transition } from "../../api/transitions";
import { pipelineRunPath, taskPath } from "../pipelines/paths";
import { queuePath } from "../queues/paths";

/** The work that a transition belongs to: a job, a pipeline's task, or a queue. */
export function WorkCell({ of }: { of: Transition }) {
  const { attempt, targetType, targetId } = of.work;
  const { t } = useTranslation();
  const details = [
    targetType === null ? null : `${targetType} ${targetId ?? ""}`,
    attempt === null ? null : t("events.attempt", { number: attempt }),
  ].filter((each) => each !== null);
  return (
    <>
      <WorkLink of={of} />
      {details.length === 0 ? null : <div className="muted small clip">{details.join(" · ")}</div>}
    </>
  );
}

function WorkLink({ of }: { of: Transition }) {
  const { t } = useTranslation();
  const { jobId, jobName, pipeline, stage, rootId, taskId, queue } = of.work;
  if (pipeline !== null && rootId !== null) {
    const task = of.entity === "PIPELINE_TASK" ? of.entityId : taskId;
    return (
      <Link className="clip" to={task === null ? pipelineRunPath(rootId) : taskPath(rootId, task)}>
        {stage === null ? pipeline : `${pipeline} / ${stage}`}
      </Link>
    );
  }
  if (queue !== null) {
    return (
      <Link className="clip" to={queuePath(queue)}>
        {queue}
      </Link>
    );
  }
  if (jobId === null || (of.entity === "JOB" && of.to === "DELETED")) {
    return jobName ?? t("common.none");
  }
  return (
    <Link className="clip" to={`/jobs/${jobId}`}>
      {jobName ?? `#${jobId}`}
    </Link>
  );
}
