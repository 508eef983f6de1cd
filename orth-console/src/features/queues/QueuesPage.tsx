import { AlertOutlined, PlusOutlined } from "@ant-design/icons";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { QueueAlert } from "../../api/queueAlerts";
import { listQueues, queueKeys } from "../../api/queues";
import { pollMillis } from "../../lib/queryClient";
import { useUrlFilter } from "../../lib/useUrlFilter";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { FilterBar, TextFilter } from "../../ui/FilterBar";
import { LinkButton } from "../../ui/LinkButton";
import { PageHeader } from "../../ui/PageHeader";
import { useMay } from "../auth/session";
import { useFiring } from "../queueAlerts/AlertTables";
import { PushDialog } from "./PushDialog";
import { useQueueColumns } from "./queueColumns";

const noAlerts: readonly QueueAlert[] = [];

export default function QueuesPage() {
  const { t } = useTranslation();
  const operates = useMay("operate");
  const filter = useUrlFilter(["q"] as const);
  const [pushing, setPushing] = useState(false);
  const queues = useQuery({
    queryKey: queueKeys.list(filter.values.q),
    queryFn: ({ signal }) => listQueues(filter.values.q, signal),
    placeholderData: keepPreviousData,
    refetchInterval: pollMillis.runs,
  });
  const columns = useQueueColumns(useFiring().data ?? noAlerts);
  const wanted = (filter.values.q ?? "").toLowerCase();
  const pushButton = operates ? (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setPushing(true)}>
      {t("queues.push")}
    </Button>
  ) : undefined;
  return (
    <>
      <PageHeader
        title={t("queues.title")}
        actions={
          <>
            <LinkButton to="/queue-alerts" icon={<AlertOutlined />}>
              {t("queueAlerts.link")}
            </LinkButton>
            {pushButton}
          </>
        }
      />
      <FilterBar>
        <TextFilter label={t("queues.search")} value={filter.values.q} onChange={(q) => filter.set({ q })} />
      </FilterBar>
      <DataTable
        label={t("queues.title")}
        columns={columns}
        rowKey={(queue) => queue.name}
        rows={queues.data?.items.filter((queue) => queue.name.toLowerCase().includes(wanted))}
        error={queues.error}
        onRetry={() => void queues.refetch()}
        empty={
          <EmptyList
            filtered={!filter.isEmpty}
            onClear={filter.clear}
            title={t("queues.empty")}
            hint={t("queues.emptyHint")}
            action={pushButton}
          />
        }
        rowClassName={(queue) => (queue.paused ? "row-paused" : "")}
      />
      {queues.data?.next == null ? null : <p className="muted">{t("queues.cut", { count: queues.data.items.length })}</p>}
      <PushDialog queue={null} open={pushing} onClose={() => setPushing(false)} />
    </>
  );
}
