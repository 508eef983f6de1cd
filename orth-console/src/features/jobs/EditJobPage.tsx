import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Form } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import { type Job, jobKeys, readJob, updateJob } from "../../api/jobs";
import { hasStatus, Problem } from "../../api/problem";
import { ConflictAlert } from "../../ui/ConflictAlert";
import { PageHeader } from "../../ui/PageHeader";
import { PageState } from "../../ui/PageState";
import { showFieldErrors } from "../../ui/serverErrors";
import { useLeaveGuard } from "../../ui/useLeaveGuard";
import { useReport } from "../../ui/useReport";
import { useMay } from "../auth/session";
import { changedParts } from "./changedParts";
import { draftOf, fieldNames, fieldsOf, isChanged, type JobFields } from "./jobFields";
import { JobForm } from "./JobForm";

export default function EditJobPage() {
  const { t } = useTranslation();
  const { id = "" } = useParams();
  const operates = useMay("operate");
  // Read once: what the form started from must not change under the one who edits.
  const job = useQuery({
    queryKey: [...jobKeys.one(id), "edit"],
    queryFn: ({ signal }) => readJob(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (!operates) {
    return <PageState title={t("common.edit")} error={new Problem(403, {})} />;
  }
  if (job.data === undefined) {
    return <PageState title={t("common.edit")} error={job.error} onRetry={() => void job.refetch()} />;
  }
  return <Editor key={job.data.version} job={job.data} reload={() => void job.refetch()} />;
}

function Editor({ job, reload }: { job: Job; reload: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const report = useReport();
  const [form] = Form.useForm<JobFields>();
  /** The job as someone else has saved it since it was opened here. */
  const [theirs, setTheirs] = useState<Job | null>(null);
  const base = theirs ?? job;
  const guard = useLeaveGuard(() => isChanged(form, fieldsOf(job)));
  const save = useMutation({
    mutationFn: (fields: JobFields) => updateJob(job.id, draftOf(fields, base.version)),
    onSuccess: async (saved) => {
      client.setQueryData(jobKeys.one(job.id), saved);
      report.done(t("jobForm.saved", { name: saved.name }));
      void client.invalidateQueries({ queryKey: jobKeys.all });
      guard.release();
      await navigate(`/jobs/${job.id}`);
    },
    onError: async (error) => {
      // A conflict is about the version or about something else, such as a name that is taken: the job itself tells.
      const now = hasStatus(error, 409) ? await readJob(job.id).catch(() => null) : null;
      if (now !== null && now.version !== base.version) {
        setTheirs(now);
      } else if (!showFieldErrors(form, error, fieldNames)) {
        report.failed(error);
      }
    },
  });
  const conflict =
    theirs === null ? null : (
      <ConflictAlert
        key={theirs.version}
        description={t("jobForm.conflict")}
        changed={changedParts(job, theirs).map((part) => t(part))}
        busy={save.isPending}
        onKeepMine={form.submit}
        onLoadTheirs={reload}
      />
    );
  return (
    <>
      <PageHeader title={t("jobForm.editTitle", { name: job.name })} />
      <JobForm
        form={form}
        initial={fieldsOf(job)}
        isNew={false}
        sourceVersion={job.glue?.version}
        busy={save.isPending}
        notice={conflict}
        onSubmit={(fields) => save.mutate(fields)}
        onCancel={() => void navigate(`/jobs/${job.id}`)}
      />
    </>
  );
}
