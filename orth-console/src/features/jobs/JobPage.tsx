import { useQuery } from "@tanstack/react-query";
import { Alert } from "antd";
import { useTranslation } from "react-i18next";
import { Link, useNavigate, useParams } from "react-router";
import { type Job, jobKeys, readJob } from "../../api/jobs";
import { listRuns, runKeys } from "../../api/runs";
import { pollMillis } from "../../lib/queryClient";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { Fact, Facts } from "../../ui/Facts";
import { Instant } from "../../ui/Instant";
import { PageHeader } from "../../ui/PageHeader";
import { PageState } from "../../ui/PageState";
import { useMay } from "../auth/session";
import { KillJobButton } from "../runs/KillButtons";
import { runsMinWidth, useRunColumns } from "../runs/runColumns";
import { AfterFacts } from "./AfterFacts";
import { BackfillButton } from "./BackfillDialog";
import { DeclarationNotice } from "./DeclarationNotice";
import { EnabledSwitch } from "./EnabledSwitch";
import { ExecutionFacts } from "./ExecutionFacts";
import { JobActions } from "./JobActions";
import { NotRun } from "./NotRun";
import { RoutingFacts } from "./RoutingFacts";
import { ScheduleText } from "./ScheduleText";
import { SourcePanel } from "./SourcePanel";
import { WhatRuns } from "./WhatRuns";

export default function JobPage() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const navigate = useNavigate();
  const operates = useMay("operate");
  const query = useQuery({
    queryKey: jobKeys.one(id),
    queryFn: ({ signal }) => readJob(id, signal),
    refetchInterval: pollMillis.lists,
  });
  const job = query.data;
  if (job === undefined) {
    return <PageState title={t("jobs.title")} error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <>
      <PageHeader
        title={job.name}
        after={<EnabledSwitch job={job} />}
        actions={operates ? <JobActions job={job} words onDeleted={() => void navigate("/jobs")} /> : undefined}
      />
      <JobFacts job={job} />
      {job.glue === null ? null : <SourcePanel job={job} />}
      <RecentRuns job={job} />
      <NotRun jobId={job.id} />
    </>
  );
}

function JobFacts({ job }: { job: Job }) {
  const { t } = useTranslation();
  return (
    <>
      {job.enabled || job.stopReason === null ? null : (
        <Alert type="warning" showIcon title={t("jobs.stopReason", { reason: job.stopReason })} className="form-alert" />
      )}
      <DeclarationNotice job={job} />
      <Facts>
        <Fact name={t("jobs.group")}>{job.groupName}</Fact>
        <Fact name={t("execution.runs")}>
          <WhatRuns of={job} />
        </Fact>
        <ExecutionFacts of={job} />
        <RoutingFacts of={job} />
        <Fact name={t("jobs.schedule")}>
          <ScheduleText schedule={job.schedule} />
        </Fact>
        <Fact name={t("jobs.nextFire")}>
          {job.enabled && job.nextFireAt === null && job.schedule.type === "FIXED_DELAY" ? (
            t("when.afterRun")
          ) : (
            <Instant at={job.nextFireAt} />
          )}
        </Fact>
        <Fact name={t("jobs.misfire")}>{t(`schedule.misfire.${job.misfire}`)}</Fact>
        <AfterFacts job={job} />
        <Fact name={t("common.created")}>
          <Instant at={job.createdAt} />
        </Fact>
        <Fact name={t("common.updated")}>
          <Instant at={job.updatedAt} />
        </Fact>
        {job.declaration?.state === "FOLLOWED" ? <Fact name={t("declared.origin")}>{t("declared.followed")}</Fact> : null}
        <Fact name={t("jobs.version")}>{job.version}</Fact>
        {job.param === "" ? null : (
          <Fact name={t("jobs.parameter")}>
            <pre className="param">{job.param}</pre>
          </Fact>
        )}
      </Facts>
    </>
  );
}

function RecentRuns({ job }: { job: Job }) {
  const { t } = useTranslation();
  const columns = useRunColumns({ withJob: false });
  const operates = useMay("operate");
  const filter = { jobId: job.id };
  const runs = useQuery({
    queryKey: [...runKeys.list(filter), "recent"],
    queryFn: ({ signal }) => listRuns(filter, null, signal, 10),
    refetchInterval: pollMillis.runs,
  });
  return (
    <>
      <div className="section-header">
        <h2>{t("jobs.recentRuns")}</h2>
        <BackfillButton job={job} />
        <Link to={`/runs?jobId=${job.id}`}>{t("jobs.allRuns")}</Link>
        {operates ? <KillJobButton job={job} /> : null}
      </div>
      <DataTable
        label={t("jobs.recentRuns")}
        columns={columns}
        minWidth={runsMinWidth}
        rowKey={(run) => run.id}
        rows={runs.data?.items}
        error={runs.error}
        onRetry={() => void runs.refetch()}
        empty={<EmptyList filtered={false} title={t("jobs.neverRan")} />}
      />
    </>
  );
}
