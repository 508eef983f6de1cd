import { PlusOutlined } from "@ant-design/icons";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type JobFilter, jobKeys, listJobs } from "../../api/jobs";
import { pollMillis } from "../../lib/queryClient";
import { useUrlFilter } from "../../lib/useUrlFilter";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { FilterBar, SelectFilter, TextFilter } from "../../ui/FilterBar";
import { GroupFilter } from "../../ui/GroupFilter";
import { LinkButton } from "../../ui/LinkButton";
import { PageHeader } from "../../ui/PageHeader";
import { useMay } from "../auth/session";
import { RefusedDeclarations } from "./RefusedDeclarations";
import { JobFiles } from "./JobFiles";
import { jobsMinWidth, useJobColumns } from "./jobColumns";

const filterKeys = ["q", "groupId", "enabled"] as const;

export default function JobsPage() {
  const { t } = useTranslation();
  const operates = useMay("operate");
  const filter = useUrlFilter(filterKeys);
  const columns = useJobColumns();
  const values = filter.values as JobFilter;
  const jobs = useInfiniteQuery({
    queryKey: jobKeys.list(values),
    queryFn: ({ pageParam, signal }) => listJobs(values, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    refetchInterval: pollMillis.lists,
    placeholderData: keepPreviousData,
  });
  const newButton = operates ? (
    <LinkButton to="/jobs/new" type="primary" icon={<PlusOutlined />}>
      {t("jobs.new")}
    </LinkButton>
  ) : undefined;
  return (
    <>
      <PageHeader
        title={t("jobs.title")}
        actions={
          <>
            <JobFiles filter={values} />
            {newButton}
          </>
        }
      />
      <RefusedDeclarations />
      <FilterBar>
        <TextFilter label={t("jobs.search")} value={filter.values.q} onChange={(q) => filter.set({ q })} />
        <GroupFilter value={filter.values.groupId} onChange={(groupId) => filter.set({ groupId })} />
        <SelectFilter
          label={t("jobs.state")}
          value={filter.values.enabled}
          onChange={(enabled) => filter.set({ enabled })}
          options={[
            { value: "true", label: t("jobs.enabled") },
            { value: "false", label: t("jobs.paused") },
          ]}
        />
      </FilterBar>
      <DataTable
        label={t("jobs.title")}
        columns={columns}
        minWidth={jobsMinWidth}
        rowKey={(job) => job.id}
        rows={jobs.data?.pages.flatMap((page) => page.items)}
        error={jobs.error}
        onRetry={() => void jobs.refetch()}
        empty={
          <EmptyList
            filtered={!filter.isEmpty}
            onClear={filter.clear}
            title={t("jobs.empty")}
            hint={t("jobs.emptyHint")}
            action={newButton}
          />
        }
        more={{ has: jobs.hasNextPage, loading: jobs.isFetchingNextPage, load: () => void jobs.fetchNextPage() }}
        rowClassName={(job) => (job.enabled ? "" : "row-paused")}
      />
    </>
  );
}
