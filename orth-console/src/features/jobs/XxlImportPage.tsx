import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Button, Form } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { groupKeys } from "../../api/groups";
import { jobKeys } from "../../api/jobs";
import { Problem } from "../../api/problem";
import { userKeys } from "../../api/users";
import { created, previewXxlImport, runXxlImport, type XxlJobSource } from "../../api/xxlImports";
import { ErrorPanel } from "../../ui/ErrorPanel";
import { LinkButton } from "../../ui/LinkButton";
import { PageHeader } from "../../ui/PageHeader";
import { PageState } from "../../ui/PageState";
import { showFieldErrors } from "../../ui/serverErrors";
import { useMay } from "../auth/session";
import { newSource, sourceFieldNames, type SourceFields, sourceOf, XxlSourceFields } from "./XxlSourceFields";
import { XxlImportReport } from "./XxlImportReport";

/** Jobs, groups and users from an XXL-JOB database: first what would happen, then it happens. */
export default function XxlImportPage() {
  const { t } = useTranslation();
  return useMay("administer") ? <XxlImport /> : <PageState title={t("xxlImport.title")} error={new Problem(403, {})} />;
}

function XxlImport() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [form] = Form.useForm<SourceFields>();
  const [unplaced, setUnplaced] = useState<unknown>(null);
  const failed = (error: unknown): void => {
    setUnplaced(showFieldErrors(form, error, sourceFieldNames) ? null : error);
  };
  const preview = useMutation({ mutationFn: previewXxlImport, onError: failed });
  const start = useMutation({
    mutationFn: (source: XxlJobSource) => runXxlImport(source),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: jobKeys.all });
      void client.invalidateQueries({ queryKey: groupKeys.all });
      void client.invalidateQueries({ queryKey: userKeys.all });
    },
    onError: failed,
  });
  const reset = (): void => {
    setUnplaced(null);
    preview.reset();
    start.reset();
  };
  const report = start.data ?? preview.data ?? null;
  const count = preview.data === undefined ? 0 : created(preview.data);
  const checked = preview.data !== undefined;
  const over = start.data !== undefined;
  const submit = (fields: SourceFields): void => {
    setUnplaced(null);
    (checked ? start : preview).mutate(sourceOf(fields));
  };
  return (
    <>
      <PageHeader title={t("xxlImport.title")} />
      <p className="muted">{t("xxlImport.hint")}</p>
      <Form<SourceFields>
        form={form}
        layout="vertical"
        className="job-form"
        requiredMark={false}
        initialValues={newSource()}
        onValuesChange={reset}
        onFinish={submit}
        disabled={preview.isPending || start.isPending}
      >
        <div className="job-form-main">
          <XxlSourceFields />
          <div className="form-buttons">
            <Button type="primary" htmlType="submit" loading={preview.isPending || start.isPending} disabled={over || (checked && count === 0)}>
              {checked ? t("xxlImport.start", { count }) : t("xxlImport.check")}
            </Button>
            <LinkButton to="/jobs">{over ? t("app.toJobs") : t("common.cancel")}</LinkButton>
          </div>
        </div>
      </Form>
      <div aria-live="polite" aria-busy={preview.isPending || start.isPending}>
        {unplaced === null ? null : <ErrorPanel error={unplaced} />}
        {report === null ? null : <XxlImportReport report={report} />}
      </div>
    </>
  );
}
