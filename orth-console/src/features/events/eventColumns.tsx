import type { TableColumnsType } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { groupLabel } from "../../api/groups";
import type { Transition } from "../../api/transitions";
import type { Watched } from "../../api/transitionStream";
import { elapsed } from "../../lib/duration";
import { useGroups } from "../../ui/GroupFilter";
import { Instant } from "../../ui/Instant";
import { operationPath } from "../operations/paths";
import { pipelineRunPath, taskPath } from "../pipelines/paths";
import { messagePath } from "../queues/paths";
import { CauseText } from "../runs/CauseText";
import { ChangeCell, ExecutorCell, WriterCell } from "./TransitionCells";
import { WorkCell } from "./WorkCell";

const isAnother = (row: Watched, before: Watched): boolean => row !== before;

export function useEventColumns(): TableColumnsType<Watched> {
  const { t } = useTranslation();
  const groups = useGroups().data;
  return useMemo(() => {
    const nameOf = (groupId: string | null): string | null => {
      const group = groups?.find((each) => each.id === groupId);
      return group === undefined ? null : groupLabel(group);
    };
    const columns: TableColumnsType<Watched> = [
      { key: "at", title: t("events.at"), render: (_, each) => <Instant at={each.at} as="precise" /> },
      { key: "what", title: t("events.what"), render: (_, each) => <EntityLink of={each} group={nameOf(each.work.groupId)} /> },
      {
        key: "change",
        title: t("events.change"),
        render: (_, each) => (
          <>
            <ChangeCell of={each} />
            <div className="muted small">
              <CauseText cause={each.cause} of={each.entity} />
            </div>
          </>
        ),
      },
      { key: "spent", title: t("events.spent"), align: "right", render: (_, each) => <Spent of={each} /> },
      { key: "work", title: t("events.work"), render: (_, each) => <WorkCell of={each} /> },
      { key: "executor", title: t("events.executor"), responsive: ["lg"], render: (_, each) => <ExecutorCell executor={each.executor} /> },
      { key: "writer", title: t("events.writer"), responsive: ["xl"], render: (_, each) => <WriterCell writer={each.writer} /> },
    ];
    // What was told never changes, so a row that stands is not drawn again.
    return columns.map((column) => Object.assign(column, { shouldCellUpdate: isAnother }));
  }, [t, groups]);
}

export function Spent({ of }: { of: Transition }) {
  const { t } = useTranslation();
  return <span className="tabular">{of.millisInFrom === null ? t("common.none") : elapsed(of.millisInFrom)}</span>;
}

/** What has changed, and the way to it where it can still be looked at. */
function EntityLink({ of, group }: { of: Transition; group: string | null }) {
  const { t } = useTranslation();
  const to = {
    RUN: `/runs/${of.entityId}?tab=timeline`,
    JOB: of.to === "DELETED" ? null : `/jobs/${of.entityId}`,
    MESSAGE: of.work.queue === null ? null : messagePath(of.work.queue, of.entityId),
    PIPELINE_RUN: pipelineRunPath(of.entityId),
    PIPELINE_TASK: of.work.rootId === null ? null : taskPath(of.work.rootId, of.entityId),
    OPERATION: operationPath(of.entityId),
    ALARM: "/alarms",
    EXECUTOR: group === null ? "/executors" : `/executors?name=${encodeURIComponent(group)}`,
  }[of.entity];
  const name = `${t(`events.kinds.${of.entity}`)} #${of.entityId}`;
  return to === null ? (
    <span className="tabular">{name}</span>
  ) : (
    <Link className="tabular" to={to}>
      {name}
    </Link>
  );
}
