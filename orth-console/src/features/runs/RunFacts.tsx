import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { alarmStateOf } from "../../api/alarms";
import { hasEnded, type Run } from "../../api/runs";
import { Fact, Facts } from "../../ui/Facts";
import { Instant } from "../../ui/Instant";
import { ExecutionFacts } from "../jobs/ExecutionFacts";
import { RouteFacts } from "../jobs/RoutingFacts";
import { WhatRuns } from "../jobs/WhatRuns";
import { CauseText } from "./CauseText";
import { RelatedRuns } from "./RelatedRuns";
import { RunDuration } from "./runColumns";

const shortText = 60;

/** What ran, where, when, and what it said. */
export function RunFacts({ run }: { run: Run }) {
  const { t } = useTranslation();
  const message = run.handleMsg === "" ? run.triggerMsg : run.handleMsg;
  return (
    <Facts>
      <Fact name={t("run.job")}>
        <Link to={`/jobs/${run.jobId}`}>{run.jobName}</Link>
      </Fact>
      <Fact name={t("jobs.group")}>{run.groupName}</Fact>
      <Fact name={t("execution.runs")}>
        <WhatRuns of={run} jobId={run.jobId} />
      </Fact>
      <ExecutionFacts of={run} />
      <RouteFacts of={run} />
      <Fact name={t("run.executor")}>
        <span className="mono">{run.executorAddress ?? t("run.notAssigned")}</span>
      </Fact>
      <Fact name={t("run.trigger")}>
        {t(`trigger.${run.triggerType}`)}
        {run.attempts === null ? null : (
          <span className="muted"> · {t("after.attemptOf", { attempt: run.attempt, attempts: run.attempts })}</span>
        )}
      </Fact>
      {run.scheduleTime === null ? null : (
        <Fact name={t("run.scheduleTime")}>
          <Instant at={run.scheduleTime} />
        </Fact>
      )}
      <Fact name={t("run.started")}>
        <Instant at={run.createdAt} />
      </Fact>
      <Fact name={t("run.triggeredAt")}>
        <Instant at={run.triggeredAt} />
      </Fact>
      <Fact name={t("run.finished")}>
        <Instant at={run.finishedAt} />
      </Fact>
      <Fact name={t("run.duration")}>
        <RunDuration run={run} />
      </Fact>
      <Fact name={t("run.cause")}>
        <CauseText cause={run.cause} />
      </Fact>
      {hasEnded(run.status) && run.status !== "SUCCESS" ? (
        <Fact name={t("alarms.ofRun")}>{t(`alarms.state.${alarmStateOf(run.alarmStatus)}`)}</Fact>
      ) : null}
      {run.kill === null ? null : (
        <Fact name={t("kill.by")}>
          {run.kill.by}
          {run.kill.reason === "" ? null : <span className="muted"> · {run.kill.reason}</span>}
        </Fact>
      )}
      {run.traceId === null ? null : (
        <Fact name={t("run.trace")}>
          <span className="mono clip" title={run.traceId}>
            {run.traceId}
          </span>
        </Fact>
      )}
      <RelatedRuns run={run} />
      {run.param === "" ? null : <TextFact name={t("run.param")} text={run.param} />}
      {run.handleMsg === "" || run.triggerMsg === "" ? null : <TextFact name={t("routing.sending")} text={run.triggerMsg} />}
      {message === "" ? null : <TextFact name={t("run.message")} text={message} />}
    </Facts>
  );
}

/** A short text stands among the others; a long one gets the whole width. */
function TextFact({ name, text }: { name: string; text: string }) {
  if (text.length <= shortText && !text.includes("\n")) {
    return (
      <Fact name={name}>
        <span className="mono">{text}</span>
      </Fact>
    );
  }
  return (
    <Fact name={name}>
      {/* Long texts scroll, so the keyboard must reach them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className="param" tabIndex={0} aria-label={name}>
        {text}
      </pre>
    </Fact>
  );
}
