import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Task } from "../../../api/pipelineTasks";
import { Fact, Facts } from "../../../ui/Facts";
import { Instant } from "../../../ui/Instant";
import { AttemptText } from "../../queues/messageLook";
import { queuePath } from "../../queues/paths";
import { taskPath } from "../paths";
import { MessageLink, TaskTook } from "./TaskCells";

/** Everything about a task that is short. */
export function TaskFacts({ task }: { task: Task }) {
  const { t } = useTranslation();
  return (
    <Facts>
      <Fact name={t("stages.name")}>{task.stage}</Fact>
      <Fact name={t("pipelineTasks.targetType")}>
        <span className="mono">{task.targetType}</span>
      </Fact>
      <Fact name={t("pipelineTasks.targetId")}>
        <span className="mono">{task.targetId}</span>
      </Fact>
      <Fact name={t("pipelineTasks.attempts")}>
        <AttemptText of={{ attempt: task.attempts, maxAttempts: task.maxAttempts }} />
      </Fact>
      {task.parentJobId === null ? null : (
        <Fact name={t("pipelineTasks.parent")}>
          <Link className="tabular" to={taskPath(task.rootJobId, task.parentJobId)}>
            #{task.parentJobId}
          </Link>
        </Fact>
      )}
      {task.queue === null ? null : (
        <Fact name={t("pipelineTasks.queue")}>
          <Link className="mono" to={queuePath(task.queue)}>
            {task.queue}
          </Link>
        </Fact>
      )}
      <Fact name={t("pipelineTasks.message")}>
        <MessageLink task={task} />
      </Fact>
      {task.executorId === null ? null : (
        <Fact name={t("pipelineTasks.executor")}>
          <Link className="tabular" to="/executors">
            #{task.executorId}
          </Link>
        </Fact>
      )}
      <Times task={task} />
      <Metadata entries={Object.entries(task.meta)} />
    </Facts>
  );
}

function Times({ task }: { task: Task }) {
  const { t } = useTranslation();
  return (
    <>
      <Fact name={t("common.created")}>
        <Instant at={task.createdAt} as="precise" />
      </Fact>
      <Fact name={t("pipelineTasks.locked")}>
        <Instant at={task.lockedAt} as="precise" />
      </Fact>
      <Fact name={t("pipelineTasks.started")}>
        <Instant at={task.startedAt} as="precise" />
      </Fact>
      <Fact name={t("pipelineTasks.finished")}>
        <Instant at={task.finishedAt} as="precise" />
      </Fact>
      <Fact name={t("pipelineTasks.took")}>
        <TaskTook task={task} />
      </Fact>
      <Fact name={t("pipelineTasks.updated")}>
        <Instant at={task.updatedAt} as="relative" />
      </Fact>
    </>
  );
}

function Metadata({ entries }: { entries: [string, string][] }) {
  const { t } = useTranslation();
  return entries.length === 0 ? null : (
    <Fact name={t("messages.metadata")}>
      {entries.map(([name, value]) => (
        <div key={name} className="mono">
          {name}={value}
        </div>
      ))}
    </Fact>
  );
}
