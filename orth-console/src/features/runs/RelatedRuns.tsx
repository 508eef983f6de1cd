import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { readRelated, type RunLink } from "../../api/afterRun";
import { type Run, runKeys } from "../../api/runs";
import { pollMillis } from "../../lib/queryClient";
import { Fact } from "../../ui/Facts";
import { Instant } from "../../ui/Instant";
import { StatusTag } from "../../ui/runStatus";

/** The other attempts at the same work, what fired the run and what it fired; nothing where there is none of them. */
export function RelatedRuns({ run }: { run: Run }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: [...runKeys.one(run.id), "related", run.status],
    queryFn: ({ signal }) => readRelated(run.id, signal),
    refetchInterval: pollMillis.lists,
  });
  if (data === undefined) {
    return null;
  }
  return (
    <>
      {data.parent === null ? null : (
        <Fact name={t("after.firedBy")}>
          <RunRow run={data.parent} named />
        </Fact>
      )}
      {data.attempts.length < 2 ? null : (
        <Fact name={t("after.attempts")}>
          {data.attempts.map((each) => (
            <RunRow key={each.id} run={each} current={each.id === run.id} />
          ))}
        </Fact>
      )}
      {data.children.length === 0 ? null : (
        <Fact name={t("after.fired")}>
          {data.children.map((each) => (
            <RunRow key={each.id} run={each} named />
          ))}
        </Fact>
      )}
      {run.late === null ? null : (
        <Fact name={t("after.late")}>
          {t("after.lateFact", { code: run.late.handleCode })} <Instant at={run.late.at} />
          <pre className="param">{run.late.handleMsg}</pre>
        </Fact>
      )}
    </>
  );
}

type RowProps = { run: RunLink; current?: boolean; named?: boolean };

function RunRow({ run, current = false, named = false }: RowProps) {
  const { t } = useTranslation();
  const waits = run.status === "INIT" && run.notBefore !== null;
  return (
    <div className="related-run">
      {named ? <Link to={`/jobs/${run.jobId}`}>{run.jobName}</Link> : t("after.attempt", { number: run.attempt })}{" "}
      {current ? <span className="muted">{t("after.thisRun")}</span> : <Link to={`/runs/${run.id}`}>{run.id}</Link>}{" "}
      <StatusTag of={run} />
      {waits ? (
        <span className="muted">
          {t("after.waitsUntil")} <Instant at={run.notBefore} />
        </span>
      ) : null}
    </div>
  );
}
