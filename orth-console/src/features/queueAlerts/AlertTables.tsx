import { AlertOutlined } from "@ant-design/icons";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type TableColumnsType, Tag } from "antd";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { listEnded, listFiring, type QueueAlert, queueAlertKeys } from "../../api/queueAlerts";
import { elapsed } from "../../lib/duration";
import { pollMillis } from "../../lib/queryClient";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { Instant } from "../../ui/Instant";
import { queuePath } from "../queues/paths";

export const useFiring = () =>
  useQuery({ queryKey: queueAlertKeys.firing, queryFn: ({ signal }) => listFiring(signal), refetchInterval: pollMillis.runs });

function useCommonColumns(): TableColumnsType<QueueAlert> {
  const { t } = useTranslation();
  return [
    {
      key: "queue",
      title: t("queueAlerts.queue"),
      render: (_, { queue }) => (
        <Link className="strong clip" to={queuePath(queue)}>
          {queue}
        </Link>
      ),
    },
    { key: "rule", title: t("queueAlerts.rule"), render: (_, { ruleName }) => ruleName },
    { key: "text", title: t("queueAlerts.found"), render: (_, { text }) => text },
    { key: "fired", title: t("queueAlerts.firedAt"), render: (_, { firedAt }) => <Instant at={firedAt} /> },
  ];
}

const useToldColumn = (): TableColumnsType<QueueAlert>[number] => {
  const { t } = useTranslation();
  return { key: "told", title: t("queueAlerts.told"), align: "right", render: (_, { told }) => <span className="tabular">{told}</span> };
};

export function FiringAlerts() {
  const { t } = useTranslation();
  const firing = useFiring();
  const common = useCommonColumns();
  const told = useToldColumn();
  return (
    <>
      <div className="section-header">
        <h2>{t("queueAlerts.firingTitle")}</h2>
        {firing.data === undefined || firing.data.length === 0 ? null : (
          <Tag color="error" icon={<AlertOutlined />}>
            {firing.data.length}
          </Tag>
        )}
      </div>
      <DataTable
        label={t("queueAlerts.firingTitle")}
        columns={[...common, { key: "toldAt", title: t("queueAlerts.toldAt"), render: (_, { toldAt }) => <Instant at={toldAt} as="relative" /> }, told]}
        rowKey={(alert) => alert.id}
        rows={firing.data}
        error={firing.error}
        onRetry={() => void firing.refetch()}
        empty={<EmptyList filtered={false} title={t("queueAlerts.noneFiring")} />}
      />
    </>
  );
}

export function EndedAlerts() {
  const { t } = useTranslation();
  const common = useCommonColumns();
  const told = useToldColumn();
  const query = useInfiniteQuery({
    queryKey: queueAlertKeys.ended,
    queryFn: ({ pageParam, signal }) => listEnded(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    refetchInterval: pollMillis.lists,
  });
  const columns: TableColumnsType<QueueAlert> = [
    ...common,
    {
      key: "lasted",
      title: t("queueAlerts.lasted"),
      align: "right",
      render: (_, { firedAt, endedAt }) => (
        <span className="tabular">{elapsed((endedAt ?? firedAt).getTime() - firedAt.getTime())}</span>
      ),
    },
    {
      key: "ended",
      title: t("queueAlerts.end"),
      render: (_, { endedBy }) => (endedBy === null ? null : <Tag {...(endedBy === "RECOVERED" ? { color: "success" } : {})}>{t(`queueAlerts.endedBy.${endedBy}`)}</Tag>),
    },
    told,
  ];
  return (
    <>
      <div className="section-header">
        <h2>{t("queueAlerts.endedTitle")}</h2>
      </div>
      <DataTable
        label={t("queueAlerts.endedTitle")}
        columns={columns}
        rowKey={(alert) => alert.id}
        rows={query.data?.pages.flatMap((page) => page.items)}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={<EmptyList filtered={false} title={t("queueAlerts.noneEnded")} hint={t("queueAlerts.noneEndedHint")} />}
        more={{ has: query.hasNextPage, loading: query.isFetchingNextPage, load: () => void query.fetchNextPage() }}
      />
    </>
  );
}
