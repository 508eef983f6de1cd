import { Button, type TableColumnsType } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { PipelineRun } from "../../../api/pipelineRuns";
import { listTasks, type Task, type TaskFilter, taskKeys, taskStatuses } from "../../../api/pipelineTasks";
import { useUrlFilter } from "../../../lib/useUrlFilter";
import { DataTable, EmptyList } from "../../../ui/DataTable";
import { FilterBar, SelectFilter, TextFilter } from "../../../ui/FilterBar";
import { Instant } from "../../../ui/Instant";
import { AttemptText } from "../../queues/messageLook";
import { PipelineStatusTag } from "../pipelineLook";
import { MessageLink, ReasonText, TargetText, TaskTook } from "./TaskCells";
import { useRunPages } from "./useRunPages";

const filterKeys = ["stage", "status", "targetType", "targetId", "meta"] as const;

/** The tasks of a run; the one that is pressed is shown beside them. */
export function TasksTab({ run, show }: { run: PipelineRun; show: (taskId: string) => void }) {
  const { t } = useTranslation();
  const { values, isEmpty, set } = useUrlFilter(filterKeys);
  const filter = values as TaskFilter;
  const columns = useTaskColumns(show);
  const tasks = useRunTasks(run, filter);
  const clear = (): void => set({ stage: undefined, status: undefined, targetType: undefined, targetId: undefined, meta: undefined });
  return (
    <>
      <FilterBar>
        <SelectFilter
          label={t("stages.name")}
          value={values.stage}
          onChange={(stage) => set({ stage })}
          options={run.stages.map(({ name }) => ({ value: name, label: name }))}
        />
        <SelectFilter
          label={t("pipelineRuns.status")}
          value={values.status}
          onChange={(status) => set({ status })}
          options={taskStatuses.map((status) => ({ value: status, label: t(`pipelineStatus.${status}`) }))}
        />
        <TextFilter label={t("pipelineTasks.targetType")} value={values.targetType} onChange={(targetType) => set({ targetType })} />
        <TextFilter label={t("pipelineTasks.targetId")} value={values.targetId} onChange={(targetId) => set({ targetId })} />
        <TextFilter label={t("pipelineRuns.meta")} value={values.meta} onChange={(meta) => set({ meta })} />
      </FilterBar>
      <DataTable
        label={t("pipelineTasks.title")}
        columns={columns}
        rowKey={(task) => task.id}
        {...tasks}
        empty={<EmptyList filtered={!isEmpty} onClear={clear} title={t("pipelineTasks.empty")} />}
      />
    </>
  );
}

const useRunTasks = (run: PipelineRun, filter: TaskFilter) =>
  useRunPages(run, { queryKey: taskKeys.list(run.id, filter), list: (cursor, signal) => listTasks(run.id, filter, cursor, signal) });

function useTaskColumns(show: (taskId: string) => void): TableColumnsType<Task> {
  const { t } = useTranslation();
  return useMemo(
    (): TableColumnsType<Task> => [
      {
        key: "id",
        title: t("pipelineTasks.id"),
        render: (_, task) => (
          <Button type="link" size="small" className="tabular cell-button" aria-label={t("pipelineTasks.show", { id: task.id })} onClick={() => show(task.id)}>
            #{task.id}
          </Button>
        ),
      },
      { key: "stage", title: t("stages.name"), render: (_, task) => task.stage },
      { key: "target", title: t("pipelineTasks.target"), render: (_, task) => <TargetText task={task} /> },
      { key: "status", title: t("pipelineRuns.status"), render: (_, task) => <PipelineStatusTag status={task.status} /> },
      {
        key: "attempts",
        title: t("pipelineTasks.attempts"),
        align: "right",
        render: (_, task) => <AttemptText of={{ attempt: task.attempts, maxAttempts: task.maxAttempts }} />,
      },
      { key: "error", title: t("pipelineTasks.error"), className: "shrinking", render: (_, task) => <ReasonText reason={task.error} /> },
      { key: "message", title: t("pipelineTasks.message"), responsive: ["lg"], render: (_, task) => <MessageLink task={task} /> },
      { key: "took", title: t("pipelineTasks.took"), align: "right", responsive: ["md"], render: (_, task) => <TaskTook task={task} /> },
      { key: "updated", title: t("pipelineTasks.updated"), render: (_, task) => <Instant at={task.updatedAt} as="relative" /> },
    ],
    [t, show],
  );
}
