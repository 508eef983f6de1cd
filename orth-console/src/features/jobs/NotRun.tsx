import { useInfiniteQuery } from "@tanstack/react-query";
import type { TableColumnsType } from "antd";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type Decision, decisionKeys, listDecisions } from "../../api/decisions";
import { pollMillis } from "../../lib/queryClient";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { Instant } from "../../ui/Instant";

/** Planned times of a job that did not become runs, and why. */
export function NotRun({ jobId }: { jobId: string }) {
  const { t } = useTranslation();
  const columns = useColumns();
  const query = useInfiniteQuery({
    queryKey: decisionKeys.ofJob(jobId),
    queryFn: ({ pageParam, signal }) => listDecisions(jobId, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    refetchInterval: pollMillis.lists,
  });
  return (
    <>
      <div className="section-header">
        <h2>{t("notRun.title")}</h2>
        <Link to={`/runs?jobId=${jobId}&status=SKIPPED`}>{t("notRun.skipped")}</Link>
        <Link to={`/runs?jobId=${jobId}&status=TRIGGER_FAILED`}>{t("notRun.notSent")}</Link>
      </div>
      <DataTable
        label={t("notRun.title")}
        columns={columns}
        rowKey={(decision) => decision.id}
        rows={query.data?.pages.flatMap((page) => page.items)}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={<EmptyList filtered={false} title={t("notRun.empty")} />}
        more={{ has: query.hasNextPage, loading: query.isFetchingNextPage, load: () => void query.fetchNextPage() }}
      />
    </>
  );
}

function useColumns(): TableColumnsType<Decision> {
  const { t } = useTranslation();
  const goesOn = <span className="muted">{t("notRun.goesOn")}</span>;
  const fires = ({ fires: count, more }: Decision) =>
    count === null ? "–" : more ? t("notRun.atLeast", { count }) : count.toLocaleString();
  return [
    { key: "reason", title: t("notRun.reason"), render: (_, { reason }) => t(`notRun.why.${reason}`) },
    { key: "first", title: t("notRun.first"), render: (_, { first }) => <Instant at={first} /> },
    { key: "last", title: t("notRun.last"), render: (_, { last }) => (last === null ? goesOn : <Instant at={last} />) },
    { key: "fires", title: t("notRun.fires"), align: "right", render: (_, decision) => fires(decision) },
  ];
}
