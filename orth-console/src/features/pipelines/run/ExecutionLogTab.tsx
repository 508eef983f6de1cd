import { type TableColumnsType, Tag } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { PipelineRun } from "../../../api/pipelineRuns";
import { type ExecutionLine, type LineFilter, listExecutionLog, logPhases, type LogPhase, taskKeys } from "../../../api/pipelineTasks";
import { useUrlFilter } from "../../../lib/useUrlFilter";
import { DataTable, EmptyList } from "../../../ui/DataTable";
import { FilterBar, SelectFilter, TextFilter } from "../../../ui/FilterBar";
import { Instant } from "../../../ui/Instant";
import { taskPath } from "../paths";
import { useRunPages } from "./useRunPages";

/** A new phase does not compile until it has a colour here. */
const phaseColor: Record<LogPhase, string> = { start: "processing", step: "default", summary: "success", error: "error" };

/** What happened in a run, step by step. */
export function ExecutionLogTab({ run }: { run: PipelineRun }) {
  const { t } = useTranslation();
  const { values, isEmpty, set } = useUrlFilter(["taskId", "phase"] as const);
  const filter = values as LineFilter;
  const columns = useLineColumns(run.id);
  const lines = useRunPages(run, {
    queryKey: taskKeys.lines(run.id, filter),
    list: (cursor, signal) => listExecutionLog(run.id, filter, cursor, signal),
  });
  return (
    <>
      <FilterBar>
        <SelectFilter
          label={t("executionLog.phase")}
          value={values.phase}
          onChange={(phase) => set({ phase })}
          options={logPhases.map((phase) => ({ value: phase, label: t(`executionLog.phases.${phase}`) }))}
        />
        <TextFilter label={t("executionLog.task")} value={values.taskId} onChange={(taskId) => set({ taskId })} />
      </FilterBar>
      <DataTable
        label={t("pipelineRuns.tabs.log")}
        columns={columns}
        rowKey={(line) => line.no}
        {...lines}
        empty={<EmptyList filtered={!isEmpty} onClear={() => set({ taskId: undefined, phase: undefined })} title={t("executionLog.empty")} />}
      />
    </>
  );
}

function useLineColumns(runId: string): TableColumnsType<ExecutionLine> {
  const { t } = useTranslation();
  return useMemo(
    (): TableColumnsType<ExecutionLine> => [
      { key: "at", title: t("events.at"), render: (_, line) => <Instant at={line.createdAt} as="precise" /> },
      {
        key: "phase",
        title: t("executionLog.phase"),
        render: (_, line) => <Tag color={phaseColor[line.phase] ?? "default"}>{t(`executionLog.phases.${line.phase}`)}</Tag>,
      },
      { key: "task", title: t("executionLog.task"), render: (_, line) => <TaskLink runId={runId} taskId={line.taskId} /> },
      { key: "payload", title: t("executionLog.payload"), render: (_, line) => <span className="mono log-payload">{line.payload}</span> },
    ],
    [t, runId],
  );
}

/** The run itself where there is none. */
export function TaskLink({ runId, taskId }: { runId: string; taskId: string | null }) {
  const { t } = useTranslation();
  return taskId === null ? (
    <span className="muted">{t("executionLog.ofRun")}</span>
  ) : (
    <Link className="tabular" to={taskPath(runId, taskId)}>
      #{taskId}
    </Link>
  );
}
