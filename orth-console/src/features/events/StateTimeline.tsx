import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { TableColumnsType } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type EntityKind, stays, type Transition } from "../../api/transitions";
import { elapsed } from "../../lib/duration";
import { useNow } from "../../lib/useNow";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { Fact, Facts } from "../../ui/Facts";
import { Instant } from "../../ui/Instant";
import { CauseText } from "../runs/CauseText";
import { Spent } from "./eventColumns";
import { StateTag } from "./StateTag";
import { ChangeCell, ExecutorCell, WriterCell } from "./TransitionCells";

type Props = {
  kind: EntityKind;
  /** Another one once the state has changed, so that the last transition is fetched after the end too. */
  queryKey: readonly unknown[];
  list: (signal: AbortSignal) => Promise<Transition[]>;
  isEnd: (state: string) => boolean;
  poll: number | false;
};

/** Every change of state of one entity, and how long it stayed in each. */
export function StateTimeline({ kind, queryKey, list, isEnd, poll }: Props) {
  const { t } = useTranslation();
  const transitions = useQuery({
    queryKey,
    queryFn: ({ signal }) => list(signal),
    refetchInterval: poll,
    placeholderData: keepPreviousData,
  });
  const columns = useMemo(
    (): TableColumnsType<Transition> => [
      { key: "at", title: t("events.at"), render: (_, each) => <Instant at={each.at} as="precise" /> },
      { key: "change", title: t("events.change"), render: (_, each) => <ChangeCell of={each} /> },
      { key: "spent", title: t("events.spent"), align: "right", render: (_, each) => <Spent of={each} /> },
      { key: "cause", title: t("events.cause"), render: (_, each) => <CauseText cause={each.cause} of={each.entity} /> },
      { key: "writer", title: t("events.writer"), render: (_, each) => <WriterCell writer={each.writer} /> },
      { key: "executor", title: t("events.executor"), render: (_, each) => <ExecutorCell executor={each.executor} withInstance /> },
    ],
    [t],
  );
  return (
    <>
      {transitions.data === undefined ? null : <TimeInStates kind={kind} timeline={transitions.data} isEnd={isEnd} />}
      <DataTable
        label={t("run.tabs.timeline")}
        columns={columns}
        rowKey={(each) => String(each.sequence)}
        rows={transitions.data}
        error={transitions.error}
        onRetry={() => void transitions.refetch()}
        empty={<EmptyList filtered={false} title={t("run.noTransitions")} />}
      />
    </>
  );
}

/** What it has spent its time on; the state it ended in takes none. */
function TimeInStates({ kind, timeline, isEnd }: Pick<Props, "kind" | "isEnd"> & { timeline: Transition[] }) {
  const { t } = useTranslation();
  const now = useNow();
  const spent = stays(timeline, isEnd, now);
  return (
    <section aria-label={t("timeline.inStates")} className="time-in-states">
      <h3>{t("timeline.inStates")}</h3>
      <Facts>
        {spent.map(({ state, millis, open }) => (
          <Fact key={state} name={<StateTag kind={kind} state={state} />}>
            <span className="tabular">{open ? t("timeline.soFar", { time: elapsed(millis) }) : elapsed(millis)}</span>
          </Fact>
        ))}
      </Facts>
    </section>
  );
}
