import { useQuery } from "@tanstack/react-query";
import { type TableColumnsType, Tag } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { executorKeys, listRejected, type RejectedRegistration } from "../../api/executors";
import { pollMillis } from "../../lib/queryClient";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { Instant } from "../../ui/Instant";

/** Executors that tried to register and were rejected; nothing is shown while there are none. */
export function RejectedRegistrations() {
  const { t } = useTranslation();
  const columns = useColumns();
  const query = useQuery({
    queryKey: executorKeys.rejected,
    queryFn: ({ signal }) => listRejected(signal),
    refetchInterval: pollMillis.lists,
  });
  const rows = query.data ?? [];
  if (rows.length === 0) {
    return null;
  }
  return (
    <article className="group-section" aria-label={t("executors.rejected.title")}>
      <div className="section-header">
        <h2>{t("executors.rejected.title")}</h2>
        <Tag color="warning">{rows.length}</Tag>
      </div>
      <p className="muted">{t("executors.rejected.hint")}</p>
      <DataTable
        label={t("executors.rejected.title")}
        columns={columns}
        rowKey={(each) => `${each.peer} ${each.groupName} ${each.address} ${each.reason}`}
        rows={rows}
        error={null}
        onRetry={() => undefined}
        empty={<EmptyList filtered={false} title={t("executors.rejected.title")} />}
      />
    </article>
  );
}

function useColumns(): TableColumnsType<RejectedRegistration> {
  const { t } = useTranslation();
  return useMemo(() => {
    const none = t("common.none");
    return [
      { key: "address", title: t("executors.address"), render: (_, each) => <span className="mono">{each.address ?? none}</span> },
      { key: "group", title: t("executors.rejected.group"), render: (_, each) => <span className="mono">{each.groupName ?? none}</span> },
      {
        key: "reason",
        title: t("executors.rejected.reason"),
        render: (_, each) => (
          <>
            <div>{t(`executors.rejected.reasons.${each.reason}`)}</div>
            <div className="muted">{each.message}</div>
          </>
        ),
      },
      {
        key: "attempts",
        title: t("executors.rejected.attempts"),
        align: "right",
        render: (_, each) => <span className="tabular">{each.attemptCount}</span>,
      },
      { key: "first", title: t("executors.rejected.firstSeen"), render: (_, each) => <Instant at={each.firstSeenAt} /> },
      { key: "last", title: t("executors.rejected.lastSeen"), render: (_, each) => <Instant at={each.lastSeenAt} as="relative" /> },
      { key: "peer", title: t("executors.rejected.peer"), render: (_, each) => <span className="mono">{each.peer}</span> },
    ];
  }, [t]);
}
