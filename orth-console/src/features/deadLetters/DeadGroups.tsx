import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { TableColumnsType } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type DeadGroup, deadKeys, type GroupFilter, groupFilterKeys, listDeadGroups, mostGroups } from "../../api/deadLetters";
import { pollMillis } from "../../lib/queryClient";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { Instant } from "../../ui/Instant";
import { Place } from "./deadColumns";
import type { DeadUrlFilter } from "./DeadFilters";
import { groupPath, letterPath } from "./paths";

/** What of a filter concerns groups. */
export const groupFilterOf = (values: DeadUrlFilter["values"]): GroupFilter =>
  Object.fromEntries(groupFilterKeys.flatMap((key) => (values[key] === undefined ? [] : [[key, values[key]]])));

/** Dead letters by what went wrong where, most numerous first. */
export function DeadGroups({ filter }: { filter: DeadUrlFilter }) {
  const { t } = useTranslation();
  const columns = useGroupColumns();
  const wanted = groupFilterOf(filter.values);
  const groups = useQuery({
    queryKey: deadKeys.groups(wanted),
    queryFn: ({ signal }) => listDeadGroups(wanted, signal),
    placeholderData: keepPreviousData,
    refetchInterval: pollMillis.lists,
  });
  const clear = (): void => filter.set({ kind: undefined, queue: undefined, jobId: undefined });
  return (
    <>
      <DataTable
        label={t("dead.views.groups")}
        columns={columns}
        rowKey={({ kind, queue, jobId, fingerprint }) => [kind, queue ?? jobId, fingerprint].join(" ")}
        rows={groups.data}
        error={groups.error}
        onRetry={() => void groups.refetch()}
        empty={
          <EmptyList filtered={Object.keys(wanted).length > 0} onClear={clear} title={t("dead.empty")} hint={t("dead.emptyHint")} />
        }
      />
      {groups.data?.length === mostGroups ? <p className="muted">{t("dead.mostGroups", { count: mostGroups })}</p> : null}
    </>
  );
}

function useGroupColumns(): TableColumnsType<DeadGroup> {
  const { t, i18n } = useTranslation();
  return useMemo(() => {
    const { format } = new Intl.NumberFormat(i18n.language);
    return [
      { key: "count", title: t("dead.count"), align: "right", render: (_, group) => <span className="tabular strong">{format(group.count)}</span> },
      { key: "error", title: t("messages.error"), render: (_, group) => <GroupError group={group} /> },
      { key: "where", title: t("dead.where"), render: (_, group) => <Place of={group} /> },
      { key: "last", title: t("dead.lastSeen"), render: (_, group) => <Instant at={group.lastSeen} /> },
      { key: "first", title: t("dead.firstSeen"), responsive: ["md"], render: (_, group) => <Instant at={group.firstSeen} /> },
      {
        key: "sample",
        title: t("dead.sample"),
        responsive: ["md"],
        render: (_, { kind, queue, sampleId }) =>
          sampleId === null ? (
            t("common.none")
          ) : (
            <Link className="tabular" to={letterPath({ queue, id: sampleId })}>
              {t(`dead.kinds.${kind}`)} #{sampleId}
            </Link>
          ),
      },
    ];
  }, [t, i18n.language]);
}

/** The way to all of the group. */
function GroupError({ group }: { group: DeadGroup }) {
  const { t } = useTranslation();
  const text = group.error === null || group.error === "" ? t("dead.noText") : group.error;
  return (
    <span className="message-error">
      <Link className="clip-wide" to={groupPath(group)} title={text}>
        {text}
      </Link>
      <span className="mono muted small">{group.fingerprint}</span>
    </span>
  );
}
