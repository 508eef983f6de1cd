import { PlayCircleOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Alert, Button, Tabs } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { hasEnded, isEnding, readRun, type Run, runKeys } from "../../api/runs";
import { pollMillis } from "../../lib/queryClient";
import { useUrlFilter } from "../../lib/useUrlFilter";
import { PageHeader } from "../../ui/PageHeader";
import { PageState } from "../../ui/PageState";
import { useMay } from "../auth/session";
import { RunNowDialog } from "../jobs/RunNowDialog";
import { KillRunButton } from "./KillButtons";
import { LogTab } from "./log/LogTab";
import { RunFacts } from "./RunFacts";
import { RunStatusCell } from "./RunStatusCell";
import { Timeline } from "./Timeline";

export default function RunPage() {
  const { id = "" } = useParams();
  const { t } = useTranslation();
  const url = useUrlFilter(["tab"] as const);
  const query = useQuery({
    queryKey: runKeys.one(id),
    queryFn: ({ signal }) => readRun(id, signal),
    refetchInterval: ({ state }) => (state.data !== undefined && hasEnded(state.data.status) ? false : 1000),
  });
  const run = query.data;
  if (run === undefined) {
    return <PageState title={t("run.title", { id })} error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <div className="run-page">
      <PageHeader title={t("run.title", { id: run.id })} after={<RunStatusCell run={run} />} actions={<RunActions run={run} />} />
      {isEnding(run) && run.kill !== null ? <EndingNotice by={run.kill.by} /> : null}
      <RunFacts run={run} />
      <Tabs
        className="run-tabs"
        activeKey={url.values.tab ?? "log"}
        onChange={(tab) => url.set({ tab: tab === "log" ? undefined : tab })}
        destroyOnHidden
        items={[
          { key: "log", label: t("run.tabs.log"), children: <LogTab run={run} /> },
          { key: "timeline", label: t("run.tabs.timeline"), children: <Timeline run={run} poll={pollMillis.runs} /> },
        ]}
      />
    </div>
  );
}

/** It was asked for, and is not over: whoever looks should not have to ask again. */
function EndingNotice({ by }: { by: string }) {
  const { t } = useTranslation();
  return <Alert type="info" showIcon className="form-alert" title={t("kill.ending", { by })} />;
}

function RunActions({ run }: { run: Run }) {
  const { t } = useTranslation();
  const operates = useMay("operate");
  const [open, setOpen] = useState(false);
  if (!operates) {
    return null;
  }
  return (
    <>
      {hasEnded(run.status) ? null : <KillRunButton run={run} />}
      <Button icon={<PlayCircleOutlined />} onClick={() => setOpen(true)}>
        {t("run.again")}
      </Button>
      <RunNowDialog
        job={{ id: run.jobId, name: run.jobName, param: run.param }}
        always
        open={open}
        onClose={() => setOpen(false)}
      />
    </>
  );
}
