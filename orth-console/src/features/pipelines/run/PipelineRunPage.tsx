import { useQuery } from "@tanstack/react-query";
import { Tabs } from "antd";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import { isRunOver, isSettled, type PipelineRun, pipelineRunKeys, readPipelineRun } from "../../../api/pipelineRuns";
import { pollMillis } from "../../../lib/queryClient";
import { useUrlFilter } from "../../../lib/useUrlFilter";
import { PageHeader } from "../../../ui/PageHeader";
import { PageState } from "../../../ui/PageState";
import { GlobalPause } from "../GlobalPause";
import { pipelinePath } from "../paths";
import { PausedMark, PipelineStatusTag } from "../pipelineLook";
import { ContentTab } from "./ContentTab";
import { ExecutionLogTab } from "./ExecutionLogTab";
import { InputTab } from "./InputTab";
import { PipelineRunActions } from "./PipelineRunActions";
import { PipelineRunFacts } from "./PipelineRunFacts";
import { ResultTab } from "./ResultTab";
import { isHeldBack } from "./runColumns";
import { RunTimeline } from "./RunTimeline";
import { StageBars } from "./StageBars";
import { TaskDrawer } from "./TaskDrawer";
import { TasksTab } from "./TasksTab";

/** One that failed may be retried by somebody else, but seldom is. */
const pollOf = (run: PipelineRun | undefined): number | false => {
  if (run === undefined || isSettled(run)) {
    return run === undefined ? pollMillis.lists : false;
  }
  return isRunOver(run.status) && run.stages.every((stage) => stage.open === 0) ? pollMillis.lists : 1000;
};

export default function PipelineRunPage() {
  const { id = "" } = useParams();
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: pipelineRunKeys.one(id),
    queryFn: ({ signal }) => readPipelineRun(id, signal),
    refetchInterval: ({ state }) => pollOf(state.data),
  });
  const run = query.data;
  const title = t("pipelineRuns.titleOf", { id });
  if (run === undefined) {
    return <PageState title={title} error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <>
      <PageHeader
        title={title}
        before={<Link to={pipelinePath(run.pipeline)}>{run.pipeline}</Link>}
        after={
          <>
            <PipelineStatusTag status={run.status} />
            <PausedMark paused={isHeldBack(run)} />
          </>
        }
        actions={<PipelineRunActions run={run} />}
      />
      {isRunOver(run.status) ? null : <GlobalPause />}
      <PipelineRunFacts run={run} />
      <StageBars run={run} />
      <RunTabs run={run} />
    </>
  );
}

function RunTabs({ run }: { run: PipelineRun }) {
  const { t } = useTranslation();
  const { values, set } = useUrlFilter(["tab", "task"] as const);
  const show = useCallback((task: string) => set({ task }), [set]);
  return (
    <>
      <Tabs
        activeKey={values.tab ?? "tasks"}
        onChange={(tab) => set({ tab: tab === "tasks" ? undefined : tab })}
        destroyOnHidden
        items={[
          { key: "tasks", label: t("pipelineRuns.tabs.tasks"), children: <TasksTab run={run} show={show} /> },
          { key: "log", label: t("pipelineRuns.tabs.log"), children: <ExecutionLogTab run={run} /> },
          { key: "content", label: t("pipelineRuns.tabs.content"), children: <ContentTab run={run} /> },
          { key: "result", label: t("pipelineRuns.tabs.result"), children: <ResultTab run={run} /> },
          { key: "input", label: t("pipelineRuns.tabs.input"), children: <InputTab run={run} /> },
          { key: "timeline", label: t("run.tabs.timeline"), children: <RunTimeline run={run} /> },
        ]}
      />
      <TaskDrawer run={run} taskId={values.task} onClose={() => set({ task: undefined })} />
    </>
  );
}
