import { PlayCircleOutlined } from "@ant-design/icons";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type LogFilter, logLevels, searchLog, systemLogKeys } from "../../api/systemLog";
import { resolveRange } from "../../lib/time";
import { type UrlFilter, useUrlFilter } from "../../lib/useUrlFilter";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { FilterBar, SelectFilter, TextFilter } from "../../ui/FilterBar";
import { LinkButton } from "../../ui/LinkButton";
import { PageHeader } from "../../ui/PageHeader";
import { RangeFilter } from "../runs/RangeFilter";
import { rowClassOf, useLineColumns } from "./lineColumns";

const filterKeys = ["level", "worker_id", "queue", "message", "from", "to"] as const;
type ArchiveFilter = UrlFilter<(typeof filterKeys)[number]>;

/** All lines that are kept, searched. */
export default function ArchivePage() {
  const { t } = useTranslation();
  const filter = useUrlFilter(filterKeys);
  const values = filter.values as LogFilter;
  const columns = useLineColumns();
  const lines = useInfiniteQuery({
    queryKey: systemLogKeys.archive(values),
    queryFn: ({ pageParam, signal }) => searchLog(resolveRange(values, new Date()), pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
  });
  const actions = (
    <LinkButton to="/system-log" icon={<PlayCircleOutlined />}>
      {t("systemLog.toLive")}
    </LinkButton>
  );
  return (
    <>
      <PageHeader title={t("systemLog.archive")} actions={actions} />
      <Filters filter={filter} />
      <DataTable
        label={t("systemLog.archive")}
        columns={columns}
        rowKey={(line) => line.id}
        rowClassName={rowClassOf}
        rows={lines.isError ? undefined : lines.data?.pages.flatMap((page) => page.items)}
        error={lines.error}
        onRetry={() => void lines.refetch()}
        empty={<NothingFound filter={filter} more={lines.hasNextPage} />}
        more={{ has: lines.hasNextPage, loading: lines.isFetchingNextPage, load: () => void lines.fetchNextPage() }}
      />
    </>
  );
}

function Filters({ filter }: { filter: ArchiveFilter }) {
  const { t } = useTranslation();
  const { values, set } = filter;
  return (
    <FilterBar>
      <SelectFilter
        label={t("systemLog.level")}
        value={values.level}
        onChange={(level) => set({ level })}
        options={logLevels.map((level) => ({ value: level, label: t(`logLevel.${level}`) }))}
      />
      <TextFilter label={t("systemLog.message")} value={values.message} onChange={(message) => set({ message })} />
      <TextFilter label={t("systemLog.worker")} value={values.worker_id} onChange={(worker) => set({ worker_id: worker })} />
      <TextFilter label={t("systemLog.queue")} value={values.queue} onChange={(queue) => set({ queue })} />
      <RangeFilter from={values.from} to={values.to} onChange={(range) => set(range)} />
    </FilterBar>
  );
}

/** Nothing in what was searched so far is not yet nothing at all. */
function NothingFound({ filter, more }: { filter: ArchiveFilter; more: boolean }) {
  const { t } = useTranslation();
  return more ? (
    <EmptyList filtered={false} title={t("systemLog.soFar")} hint={t("systemLog.soFarHint")} />
  ) : (
    <EmptyList filtered={!filter.isEmpty} onClear={filter.clear} title={t("systemLog.archiveEmpty")} />
  );
}
