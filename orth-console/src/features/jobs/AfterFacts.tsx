import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Job } from "../../api/jobs";
import { elapsed, parseDuration } from "../../lib/duration";
import { Fact } from "../../ui/Facts";

const wait = (text: string): string => elapsed((parseDuration(text) ?? 0) * 1000);

/** What follows a run of the job, and what it follows itself. */
export function AfterFacts({ job }: { job: Job }) {
  const { t } = useTranslation();
  const { retry, children, parents } = job;
  return (
    <>
      <Fact name={t("after.retries")}>
        {retry.retries === 0
          ? t("after.noRetries")
          : t("after.retriesFact", { count: retry.retries, backoff: wait(retry.backoff), longest: wait(retry.longest) })}
      </Fact>
      {children.length === 0 ? null : (
        <Fact name={t("after.children")}>
          {children.map((child) => (
            <div key={child.jobId}>
              <JobName id={child.jobId} name={child.name} />
              <span className="muted"> · {t(`after.passName.${child.pass}`)}</span>
            </div>
          ))}
        </Fact>
      )}
      {parents === null || parents.length === 0 ? null : (
        <Fact name={t("after.parents")}>
          {parents.map((parent) => (
            <div key={parent.jobId}>
              <JobName id={parent.jobId} name={parent.name} />
            </div>
          ))}
        </Fact>
      )}
    </>
  );
}

function JobName({ id, name }: { id: string; name: string | null }) {
  const { t } = useTranslation();
  return name === null ? <span className="muted">{t("after.deletedJob", { id })}</span> : <Link to={`/jobs/${id}`}>{name}</Link>;
}
