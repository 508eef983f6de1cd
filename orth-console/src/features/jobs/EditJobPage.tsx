import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Alert, Button, Form } from "antd";
import { useTranslation } from "react-i18next";
import { useNavigate, useParams } from "react-router";
import { type Job, jobKeys, readJob, updateJob } from "../../api/jobs";
import { hasStatus, Problem } from "../../api/problem";
import { PageHeader } from "../../ui/PageHeader";
import { PageState } from "../../ui/PageState";
import { showFieldErrors } from "../../ui/serverErrors";
import { useReport } from "../../ui/useReport";
import { useMay } from "../auth/session";
import { draftOf, fieldNames, fieldsOf, type JobFields } from "./jobFields";
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
  const save = useMutation({
    mutationFn: (fields: JobFields) => updateJob(job.id, draftOf(fields, job.version)),
    onSuccess: async (saved) => {
      client.setQueryData(jobKeys.one(job.id), saved);
      report.done(t("jobForm.saved", { name: saved.name }));
      void client.invalidateQueries({ queryKey: jobKeys.all });
      await navigate(`/jobs/${job.id}`);
    },
    onError: (error) => {
      if (!hasStatus(error, 409) && !showFieldErrors(form, error, fieldNames)) {
        report.failed(error);
      }
    },
  });
  const conflict = hasStatus(save.error, 409) ? (
    <Alert
      type="warning"
      showIcon
      role="alert"
      className="form-alert"
      title={t("error.conflict")}
      description={t("jobForm.conflict")}
      action={
        <Button size="small" onClick={reload}>
          {t("jobForm.loadTheirs")}
        </Button>
      }
    />
  ) : null;
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
