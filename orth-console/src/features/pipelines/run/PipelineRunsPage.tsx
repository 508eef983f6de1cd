import { useTranslation } from "react-i18next";
import { type PipelineRunFilter, pipelineRunStatuses } from "../../../api/pipelineRuns";
import { useUrlFilter } from "../../../lib/useUrlFilter";
import { FilterBar, SelectFilter, TextFilter } from "../../../ui/FilterBar";
import { PageHeader } from "../../../ui/PageHeader";
import { RangeFilter } from "../../runs/RangeFilter";
import { GlobalPause, usePipelines } from "../GlobalPause";
import { RunsTable } from "./RunsTable";

const filterKeys = ["pipeline", "status", "createdBy", "meta", "from", "to"] as const;

export default function PipelineRunsPage() {
  const { t } = useTranslation();
  const filter = useUrlFilter(filterKeys);
  const { values, set } = filter;
  const pipelines = usePipelines().data?.items ?? [];
  return (
    <>
      <PageHeader title={t("pipelineRuns.title")} />
      <GlobalPause />
      <FilterBar>
        <SelectFilter
          label={t("pipelineRuns.pipeline")}
          value={values.pipeline}
          onChange={(pipeline) => set({ pipeline })}
          options={pipelines.map(({ name }) => ({ value: name, label: name, title: name }))}
          search
        />
        <SelectFilter
          label={t("pipelineRuns.status")}
          value={values.status}
          onChange={(status) => set({ status })}
          options={pipelineRunStatuses.map((status) => ({ value: status, label: t(`pipelineStatus.${status}`) }))}
        />
        <TextFilter label={t("pipelineRuns.by")} value={values.createdBy} onChange={(createdBy) => set({ createdBy })} />
        <TextFilter label={t("pipelineRuns.meta")} value={values.meta} onChange={(meta) => set({ meta })} />
        <RangeFilter from={values.from} to={values.to} onChange={(range) => set(range)} />
      </FilterBar>
      <RunsTable filter={values as PipelineRunFilter} withPipeline onClear={filter.isEmpty ? undefined : filter.clear} />
    </>
  );
}
