import { type TableColumnsType, Tag } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { PipelineRun } from "../../../api/pipelineRuns";
import { type Content, type ContentFilter, listContent, taskKeys } from "../../../api/pipelineTasks";
import { useUrlFilter } from "../../../lib/useUrlFilter";
import { DataTable, EmptyList } from "../../../ui/DataTable";
import { FilterBar, SelectFilter, TextFilter } from "../../../ui/FilterBar";
import { Instant } from "../../../ui/Instant";
import { TaskLink } from "./ExecutionLogTab";
import { useRunPages } from "./useRunPages";

/** What the server itself says about content; handlers may say something else. */
const usualStatuses = ["stored", "ready", "abandoned"];

/** What the tasks of a run have stored elsewhere. */
export function ContentTab({ run }: { run: PipelineRun }) {
  const { t } = useTranslation();
  // The run's own status has its own name in the address.
  const { values, isEmpty, set } = useUrlFilter(["taskId", "content"] as const);
  const filter: ContentFilter = {
    ...(values.taskId === undefined ? {} : { taskId: values.taskId }),
    ...(values.content === undefined ? {} : { status: values.content }),
  };
  const columns = useContentColumns(run.id);
  const content = useRunPages(run, {
    queryKey: taskKeys.content(run.id, filter),
    list: (cursor, signal) => listContent(run.id, filter, cursor, signal),
  });
  return (
    <>
      <FilterBar>
        <SelectFilter
          label={t("pipelineRuns.status")}
          value={values.content}
          onChange={(status) => set({ content: status })}
          options={usualStatuses.map((status) => ({ value: status, label: status }))}
        />
        <TextFilter label={t("executionLog.task")} value={values.taskId} onChange={(taskId) => set({ taskId })} />
      </FilterBar>
      <DataTable
        label={t("pipelineRuns.tabs.content")}
        columns={columns}
        rowKey={(each) => each.no}
        {...content}
        empty={<EmptyList filtered={!isEmpty} onClear={() => set({ taskId: undefined, content: undefined })} title={t("content.empty")} hint={t("content.emptyHint")} />}
      />
    </>
  );
}

function useContentColumns(runId: string): TableColumnsType<Content> {
  const { t, i18n } = useTranslation();
  return useMemo((): TableColumnsType<Content> => {
    const { format } = new Intl.NumberFormat(i18n.language);
    return [
      { key: "at", title: t("events.at"), render: (_, each) => <Instant at={each.createdAt} as="precise" /> },
      { key: "ref", title: t("content.ref"), render: (_, each) => <span className="mono log-payload">{each.contentRef}</span> },
      { key: "status", title: t("pipelineRuns.status"), render: (_, each) => <Tag>{each.status}</Tag> },
      { key: "size", title: t("content.size"), align: "right", render: (_, each) => <span className="tabular">{each.size === null ? t("common.none") : format(each.size)}</span> },
      { key: "task", title: t("executionLog.task"), render: (_, each) => <TaskLink runId={runId} taskId={each.taskId} /> },
    ];
  }, [t, i18n.language, runId]);
}
