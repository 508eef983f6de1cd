import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { type TableColumnsType, Tag } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type AuditEntry, type AuditFilter, auditKeys, listAudit } from "../../api/audit";
import { useUrlFilter } from "../../lib/useUrlFilter";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { FilterBar, TextFilter } from "../../ui/FilterBar";
import { Instant } from "../../ui/Instant";
import { PageHeader } from "../../ui/PageHeader";

const filterKeys = ["user", "q"] as const;

export default function AuditPage() {
  const { t } = useTranslation();
  const filter = useUrlFilter(filterKeys);
  const values = filter.values as AuditFilter;
  const columns = useAuditColumns();
  const entries = useInfiniteQuery({
    queryKey: auditKeys.list(values),
    queryFn: ({ pageParam, signal }) => listAudit(values, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHeader title={t("audit.title")} />
      <FilterBar>
        <TextFilter label={t("audit.user")} value={filter.values.user} onChange={(user) => filter.set({ user })} />
        <TextFilter label={t("audit.text")} value={filter.values.q} onChange={(q) => filter.set({ q })} />
      </FilterBar>
      <DataTable
        label={t("audit.title")}
        columns={columns}
        rowKey={(entry) => entry.id}
        rows={entries.data?.pages.flatMap((page) => page.items)}
        error={entries.error}
        onRetry={() => void entries.refetch()}
        empty={
          <EmptyList filtered={!filter.isEmpty} onClear={filter.clear} title={t("audit.empty")} hint={t("audit.emptyHint")} />
        }
        more={{ has: entries.hasNextPage, loading: entries.isFetchingNextPage, load: () => void entries.fetchNextPage() }}
      />
    </>
  );
}

/** The answer of the call; what was refused or failed stands out. */
function Outcome({ status }: { status: number | null }) {
  const { t } = useTranslation();
  if (status === null) {
    return <Tag color="warning">{t("audit.open")}</Tag>;
  }
  const word = status < 400 ? t("audit.done") : status < 500 ? t("audit.refused") : t("audit.failed");
  return (
    <Tag color={status < 400 ? "default" : "error"}>
      {word} {status}
    </Tag>
  );
}

function useAuditColumns(): TableColumnsType<AuditEntry> {
  const { t } = useTranslation();
  return useMemo(() => {
    const none = t("common.none");
    return [
      { key: "at", title: t("audit.at"), render: (_, entry) => <Instant at={entry.at} /> },
      { key: "actor", title: t("audit.actor"), render: (_, entry) => <span className="strong">{entry.actor ?? none}</span> },
      { key: "action", title: t("audit.action"), render: (_, entry) => <span className="mono">{entry.action}</span> },
      { key: "object", title: t("audit.object"), render: (_, entry) => <span className="clip">{entry.object ?? none}</span> },
      {
        key: "outcome",
        title: t("audit.outcome"),
        render: (_, entry) => <Outcome status={entry.outcome} />,
      },
      { key: "address", title: t("audit.address"), render: (_, entry) => <span className="mono">{entry.address ?? none}</span> },
      {
        key: "detail",
        title: t("common.details"),
        render: (_, entry) => <span className="muted wide-text">{entry.detail ?? ""}</span>,
      },
    ];
  }, [t]);
}
