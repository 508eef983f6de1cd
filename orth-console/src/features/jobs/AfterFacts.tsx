import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Job } from "../../api/jobs";
import { BackoffWords } from "../../ui/BackoffWords";
import { Fact } from "../../ui/Facts";

/** What follows a run of the job, and what it follows itself. */
export function AfterFacts({ job }: { job: Job }) {
  const { t } = useTranslation();
  const { children, parents } = job;
  return (
    <>
      <Fact name={t("retry.maxAttempts")}>{job.maxAttempts}</Fact>
      <Fact name={t("retry.backoff")}>
        <BackoffWords policy={job} />
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
