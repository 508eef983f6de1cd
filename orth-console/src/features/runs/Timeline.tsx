import { useQuery } from "@tanstack/react-query";
import { type TableColumnsType, Tag } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { hasEnded, type Run, runKeys, type RunStatus } from "../../api/runs";
import { listTransitions, type Transition } from "../../api/transitions";
import { elapsed } from "../../lib/duration";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { Instant } from "../../ui/Instant";
import { statusLook } from "../../ui/runStatus";
import { CauseText } from "./CauseText";

/** Every change of state of a run, and how long it stayed in each. */
export function Timeline({ run, poll }: { run: Run; poll: number }) {
  const { t } = useTranslation();
  const transitions = useQuery({
    // The status is part of the key: the last transition is fetched once the run has ended.
    queryKey: [...runKeys.transitions(run.id), run.status],
    queryFn: ({ signal }) => listTransitions(run.id, signal),
    refetchInterval: hasEnded(run.status) ? false : poll,
    placeholderData: (before) => before,
  });
  const columns = useMemo(
    (): TableColumnsType<Transition> => [
      { key: "at", title: t("run.at"), render: (_, each) => <Instant at={each.at} as="precise" /> },
      { key: "from", title: t("run.from"), render: (_, each) => <State status={each.from} /> },
      { key: "to", title: t("run.to"), render: (_, each) => <State status={each.to} /> },
      {
        key: "spent",
        title: t("run.spent"),
        align: "right",
        render: (_, each) => (
          <span className="tabular">{each.millisInFrom === null ? t("common.none") : elapsed(each.millisInFrom)}</span>
        ),
      },
      { key: "cause", title: t("run.cause"), render: (_, each) => <CauseText cause={each.cause} /> },
      { key: "node", title: t("run.node"), render: (_, each) => <span className="mono">{each.node ?? t("common.none")}</span> },
      {
        key: "executor",
        title: t("run.executor"),
        render: (_, each) => <span className="mono">{each.executor ?? t("common.none")}</span>,
      },
    ],
    [t],
  );
  return (
    <DataTable
      label={t("run.tabs.timeline")}
      columns={columns}
      rowKey={(each) => each.sequence}
      rows={transitions.data}
      error={transitions.error}
      onRetry={() => void transitions.refetch()}
      empty={<EmptyList filtered={false} title={t("run.noTransitions")} />}
    />
  );
}

function State({ status }: { status: RunStatus | null }) {
  const { t } = useTranslation();
  return status === null ? t("common.none") : <Tag color={statusLook[status].color}>{t(`status.${status}`)}</Tag>;
}
