import { RedoOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Button, Drawer } from "antd";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { taskLogPath } from "../../../api/attemptLog";
import { type PipelineRun, retryable } from "../../../api/pipelineRuns";
import { isTaskOver, readTask, type Task, taskKeys } from "../../../api/pipelineTasks";
import { pollMillis } from "../../../lib/queryClient";
import { ListSkeleton } from "../../../ui/DataTable";
import { ErrorPanel } from "../../../ui/ErrorPanel";
import { useConfirm } from "../../../ui/useConfirm";
import { useMay } from "../../auth/session";
import { AttemptLogPanel } from "../../queues/AttemptLogPanel";
import { TextPanel } from "../../queues/TextPanel";
import { pipelineRunPath } from "../paths";
import { PipelineStatusTag } from "../pipelineLook";
import { TaskFacts } from "./TaskFacts";
import { useRetryRun } from "./useRunActions";

type Props = { run: PipelineRun; taskId: string | undefined; onClose: () => void };

/** Everything about one task, beside the list it is in. */
export function TaskDrawer({ run, taskId, onClose }: Props) {
  const { t } = useTranslation();
  const id = taskId ?? "";
  const task = useQuery({
    queryKey: taskKeys.one(id),
    queryFn: ({ signal }) => readTask(id, signal),
    enabled: taskId !== undefined,
    refetchInterval: ({ state }) => (state.data !== undefined && isTaskOver(state.data.status) ? pollMillis.lists : pollMillis.runs),
  });
  return (
    <Drawer
      open={taskId !== undefined}
      size="large"
      title={t("pipelineTasks.titleOf", { id })}
      extra={task.data === undefined ? null : <PipelineStatusTag status={task.data.status} />}
      onClose={onClose}
      destroyOnHidden
    >
      {task.data !== undefined ? (
        <TaskDetails run={run} task={task.data} />
      ) : task.error !== null ? (
        <ErrorPanel error={task.error} onRetry={() => void task.refetch()} />
      ) : (
        <ListSkeleton />
      )}
    </Drawer>
  );
}

function TaskDetails({ run, task }: { run: PipelineRun; task: Task }) {
  const { t } = useTranslation();
  const { error } = task;
  const reason = error === null ? "" : [error.code, error.message].filter((text) => text !== "").join(": ");
  const here = pipelineRunPath(run.id);
  return (
    <>
      <TaskFacts task={task} />
      <div className="section-header">
        <RetryTask run={run} task={task} />
        <Link to={`${here}?tab=log&taskId=${task.id}`}>{t("pipelineTasks.itsLog")}</Link>
        <Link to={`${here}?tab=content&taskId=${task.id}`}>{t("pipelineTasks.itsContent")}</Link>
      </div>
      {reason === "" ? null : <TextPanel name={t("pipelineTasks.error")} text={reason} />}
      {error === null || error.detail === "" ? null : <TextPanel name={t("pipelineTasks.detail")} text={error.detail} />}
      {task.result === "" ? null : <TextPanel name={t("pipelineTasks.result")} text={task.result} />}
      {task.params === "" ? null : <TextPanel name={t("pipelineTasks.params")} text={task.params} />}
      {task.logId === null ? null : <TaskLog taskId={task.id} logId={task.logId} />}
    </>
  );
}

/** What its handler wrote in the last attempt; the end of it first, where errors are. */
function TaskLog({ taskId, logId }: { taskId: string; logId: string }) {
  const { t } = useTranslation();
  const name = t("pipelineTasks.log", { logId });
  return (
    <section className="page-part task-log" aria-label={name}>
      <h2>{name}</h2>
      <AttemptLogPanel key={logId} path={taskLogPath(taskId)} logId={logId} />
    </section>
  );
}

/** For one that failed for good, where its run can still take it. */
function RetryTask({ run, task }: { run: PipelineRun; task: Task }) {
  const { t } = useTranslation();
  const operates = useMay("operate");
  const confirm = useConfirm();
  const retry = useRetryRun(run.id);
  if (!operates || task.status !== "FAILED" || retryable(run).length === 0) {
    return null;
  }
  const ask = (): void =>
    confirm({
      title: t("pipelineRuns.retryTitle", { count: 1 }),
      hint: t("pipelineRuns.retryHint"),
      ok: t("pipelineRuns.retry"),
      danger: false,
      act: () => retry.mutateAsync({ taskIds: [task.id] }),
    });
  return (
    <Button size="small" icon={<RedoOutlined />} onClick={ask}>
      {t("pipelineTasks.retry")}
    </Button>
  );
}
