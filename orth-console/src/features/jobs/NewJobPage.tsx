import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Form } from "antd";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { createJob, jobKeys } from "../../api/jobs";
import { Problem } from "../../api/problem";
import { PageHeader } from "../../ui/PageHeader";
import { PageState } from "../../ui/PageState";
import { showFieldErrors } from "../../ui/serverErrors";
import { useLeaveGuard } from "../../ui/useLeaveGuard";
import { useReport } from "../../ui/useReport";
import { useMay } from "../auth/session";
import { draftOf, fieldNames, isChanged, type JobFields, newFields } from "./jobFields";
import { JobForm } from "./JobForm";

const initial = newFields();

export default function NewJobPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const report = useReport();
  const operates = useMay("operate");
  const [form] = Form.useForm<JobFields>();
  const guard = useLeaveGuard(() => isChanged(form, initial));
  const create = useMutation({
    mutationFn: (fields: JobFields) => createJob(draftOf(fields)),
    onSuccess: async (job) => {
      report.done(t("jobForm.created", { name: job.name }));
      void client.invalidateQueries({ queryKey: jobKeys.all });
      guard.release();
      await navigate(`/jobs/${job.id}`);
    },
    onError: (error) => {
      if (!showFieldErrors(form, error, fieldNames)) {
        report.failed(error);
      }
    },
  });
  if (!operates) {
    return <PageState title={t("jobForm.newTitle")} error={new Problem(403, {})} />;
  }
  return (
    <>
      <PageHeader title={t("jobForm.newTitle")} />
      <JobForm
        form={form}
        initial={initial}
        isNew
        busy={create.isPending}
        onSubmit={(fields) => create.mutate(fields)}
        onCancel={() => void navigate("/jobs")}
      />
    </>
  );
}
