import { RedoOutlined } from "@ant-design/icons";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Button, type TableColumnsType } from "antd";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { listOutbox, mostRedriven, type OutboxEntry, outboxKeys, type OutboxState } from "../../../api/outbox";
import { pollMillis } from "../../../lib/queryClient";
import { DataTable, EmptyList } from "../../../ui/DataTable";
import { Instant } from "../../../ui/Instant";
import { useMay } from "../../auth/session";
import { pipelineRunPath, taskPath } from "../paths";
import { useRedrive } from "./useRedrive";

/** The entries of one state; those that are parked can be selected to be tried again. */
export function OutboxTable({ state }: { state: OutboxState }) {
  const { t } = useTranslation();
  const operates = useMay("operate");
  const [selected, setSelected] = useState<string[]>([]);
  const redrive = useRedrive();
  const columns = useOutboxColumns(state);
  const entries = useInfiniteQuery({
    queryKey: outboxKeys.list(state),
    queryFn: ({ pageParam, signal }) => listOutbox(state, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    refetchInterval: (query) => pollMillis.runs * Math.max(1, query.state.data?.pages.length ?? 1),
  });
  const rows = entries.data?.pages.flatMap((page) => page.items);
  // What somebody else decided about meanwhile drops out.
  const chosen = (rows ?? []).filter((entry) => selected.includes(entry.id)).map((entry) => entry.id);
  const decides = operates && state === "PARKED";
  const selection = {
    keys: chosen,
    change: setSelected,
    can: () => true,
    label: (entry: OutboxEntry) => t("outbox.select", { id: entry.id }),
  };
  const ids = chosen.slice(0, mostRedriven);
  return (
    <>
      {decides && ids.length > 0 ? (
        <div className="selection-bar row-actions">
          <Button
            size="small"
            icon={<RedoOutlined />}
            loading={redrive.isPending}
            onClick={() => redrive.mutate(ids, { onSuccess: () => setSelected([]) })}
          >
            {t("outbox.redriveMany", { count: ids.length })}
          </Button>
        </div>
      ) : null}
      <DataTable
        label={t(`outbox.states.${state}`)}
        {...(decides ? { selection } : {})}
        columns={columns}
        rowKey={(entry) => entry.id}
        rows={rows}
        error={entries.error}
        onRetry={() => void entries.refetch()}
        empty={<EmptyList filtered={false} title={t(`outbox.none.${state}`)} />}
        more={{ has: entries.hasNextPage, loading: entries.isFetchingNextPage, load: () => void entries.fetchNextPage() }}
      />
    </>
  );
}

function useOutboxColumns(state: OutboxState): TableColumnsType<OutboxEntry> {
  const { t } = useTranslation();
  return useMemo(
    (): TableColumnsType<OutboxEntry> => [
      { key: "id", title: t("outbox.id"), render: (_, entry) => <span className="tabular">#{entry.id}</span> },
      { key: "kind", title: t("outbox.kind"), render: (_, entry) => <KindText kind={entry.kind} /> },
      { key: "destination", title: t("outbox.destination"), render: (_, entry) => <span className="mono clip" title={entry.destination}>{entry.destination}</span> },
      {
        key: "task",
        title: t("outbox.task"),
        render: (_, entry) => (
          <Link className="tabular" to={taskPath(entry.rootJobId, entry.jobId)}>
            #{entry.jobId}
          </Link>
        ),
      },
      {
        key: "run",
        title: t("outbox.run"),
        render: (_, entry) => (
          <Link className="tabular" to={pipelineRunPath(entry.rootJobId)}>
            #{entry.rootJobId}
          </Link>
        ),
      },
      { key: "attempts", title: t("outbox.attempts"), align: "right", render: (_, entry) => <span className="tabular">{entry.attempts}</span> },
      {
        key: "error",
        title: t("outbox.error"),
        render: (_, entry) => <span className="wide-text">{entry.lastError === "" ? t("common.none") : entry.lastError}</span>,
      },
      { key: "created", title: t("common.created"), render: (_, entry) => <Instant at={entry.createdAt} /> },
      state === "PARKED"
        ? { key: "parked", title: t("outbox.parked"), render: (_, entry) => <Instant at={entry.parkedAt} as="relative" /> }
        : { key: "next", title: t("outbox.next"), render: (_, entry) => <Instant at={entry.nextAttemptAt} as="relative" /> },
    ],
    [t, state],
  );
}

const kinds = ["QUEUE", "WEBHOOK"] as const;
const isKnown = (kind: string): kind is (typeof kinds)[number] => (kinds as readonly string[]).includes(kind);

/** One that a newer server knows stays as it is. */
function KindText({ kind }: { kind: string }) {
  const { t } = useTranslation();
  return isKnown(kind) ? t(`outbox.kinds.${kind}`) : kind;
}
