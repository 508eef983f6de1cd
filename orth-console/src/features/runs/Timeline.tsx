import { useQuery } from "@tanstack/react-query";
import type { TableColumnsType } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { hasEnded, type Run, runKeys, type RunStatus } from "../../api/runs";
import { listTransitions, stays, type Transition } from "../../api/transitions";
import { elapsed } from "../../lib/duration";
import { useNow } from "../../lib/useNow";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { Fact, Facts } from "../../ui/Facts";
import { Instant } from "../../ui/Instant";
import { Spent } from "../events/eventColumns";
import { StateTag } from "../events/StateTag";
import { ChangeCell, ExecutorCell, WriterCell } from "../events/TransitionCells";
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
      { key: "at", title: t("events.at"), render: (_, each) => <Instant at={each.at} as="precise" /> },
      { key: "change", title: t("events.change"), render: (_, each) => <ChangeCell of={each} /> },
      { key: "spent", title: t("events.spent"), align: "right", render: (_, each) => <Spent of={each} /> },
      { key: "cause", title: t("events.cause"), render: (_, each) => <CauseText cause={each.cause} /> },
      { key: "writer", title: t("events.writer"), render: (_, each) => <WriterCell writer={each.writer} /> },
      { key: "executor", title: t("events.executor"), render: (_, each) => <ExecutorCell executor={each.executor} withInstance /> },
    ],
    [t],
  );
  return (
    <>
      {transitions.data === undefined ? null : <TimeInStates timeline={transitions.data} />}
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

/** What the run has spent its time on; the state it ended in takes none. */
function TimeInStates({ timeline }: { timeline: Transition[] }) {
  const { t } = useTranslation();
  const now = useNow();
  const spent = stays(timeline, (state) => hasEnded(state as RunStatus), now);
  return (
    <section aria-label={t("timeline.inStates")} className="time-in-states">
      <h3>{t("timeline.inStates")}</h3>
      <Facts>
        {spent.map(({ state, millis, open }) => (
          <Fact key={state} name={<StateTag kind="RUN" state={state} />}>
            <span className="tabular">{open ? t("timeline.soFar", { time: elapsed(millis) }) : elapsed(millis)}</span>
          </Fact>
        ))}
      </Facts>
    </section>
  );
}
