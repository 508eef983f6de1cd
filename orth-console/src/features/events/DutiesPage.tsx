import { useQuery } from "@tanstack/react-query";
import { Alert } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { clusterKeys, listSinks, readCluster } from "../../api/cluster";
import { pollMillis } from "../../lib/queryClient";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { PageHeader } from "../../ui/PageHeader";
import { useDutyColumns, useNodeColumns, useSinkColumns } from "./dutyColumns";

/** Who is told of changes and how that goes; which admin does what alone. */
export default function DutiesPage() {
  const { t } = useTranslation();
  const sinks = useQuery({
    queryKey: clusterKeys.sinks,
    queryFn: ({ signal }) => listSinks(signal),
    refetchInterval: pollMillis.lists,
  });
  const cluster = useQuery({
    queryKey: clusterKeys.cluster,
    queryFn: ({ signal }) => readCluster(signal),
    refetchInterval: pollMillis.lists,
  });
  const sinkColumns = useSinkColumns();
  const dutyColumns = useDutyColumns();
  const nodeColumns = useNodeColumns();
  const clockBehind = cluster.data?.databaseClockBehindMillis ?? null;
  return (
    <>
      <PageHeader title={t("duties.title")} />
      {clockBehind === null ? null : (
        <Alert
          type="warning"
          showIcon
          className="form-alert"
          title={t("duties.clockBehind", { seconds: Math.ceil(clockBehind / 1000) })}
          description={t("duties.clockBehindHint")}
        />
      )}
      <Part title={t("duties.sinks")} hint={t("duties.sinksHint")}>
        <DataTable
          label={t("duties.sinks")}
          columns={sinkColumns}
          rowKey={(sink) => sink.name}
          rows={sinks.data}
          error={sinks.error}
          onRetry={() => void sinks.refetch()}
          empty={<EmptyList filtered={false} title={t("duties.noSinks")} hint={t("duties.noSinksHint")} />}
        />
      </Part>
      <Part title={t("duties.leases")} hint={t("duties.leasesHint")}>
        <DataTable
          label={t("duties.leases")}
          columns={dutyColumns}
          rowKey={(duty) => duty.duty}
          rows={cluster.data?.duties}
          error={cluster.error}
          onRetry={() => void cluster.refetch()}
          empty={<EmptyList filtered={false} title={t("duties.noLeases")} />}
        />
      </Part>
      <Part title={t("duties.nodes")}>
        <DataTable
          label={t("duties.nodes")}
          columns={nodeColumns}
          rowKey={(node) => node.id}
          rows={cluster.data?.nodes}
          error={cluster.error}
          onRetry={() => void cluster.refetch()}
          empty={<EmptyList filtered={false} title={t("duties.noNodes")} />}
        />
      </Part>
    </>
  );
}

const Part = ({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) => (
  <section className="page-part">
    <h2>{title}</h2>
    {hint === undefined ? null : <p className="muted">{hint}</p>}
    {children}
  </section>
);
