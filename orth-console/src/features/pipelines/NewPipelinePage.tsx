import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Form, Input } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { pipelineKeys, putPipelineText } from "../../api/pipelines";
import { hasStatus, Problem } from "../../api/problem";
import { PageHeader } from "../../ui/PageHeader";
import { PageState } from "../../ui/PageState";
import { useLeaveGuard } from "../../ui/useLeaveGuard";
import { useReport } from "../../ui/useReport";
import { useMay } from "../auth/session";
import { DefinitionForm } from "./DefinitionForm";
import { newDefinition, withVersion } from "./definitionText";
import { pipelinePath, pipelinesPath } from "./paths";

/** No pipeline has this version, so one that exists is not written over. */
const notThere = 0;

export default function NewPipelinePage() {
  const { t } = useTranslation();
  const administers = useMay("administer");
  return administers ? <NewPipeline /> : <PageState title={t("pipelines.new")} error={new Problem(403, {})} />;
}

function NewPipeline() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const report = useReport();
  const [form] = Form.useForm<{ name: string }>();
  const [text, setText] = useState(newDefinition);
  const guard = useLeaveGuard(() => text !== newDefinition || (form.getFieldValue("name") ?? "") !== "");
  const create = useMutation({
    mutationFn: ({ name }: { name: string }) => putPipelineText(name.trim(), withVersion(text, notThere)),
    onSuccess: async ({ name }) => {
      report.done(t("pipelineForm.created", { name }));
      void client.invalidateQueries({ queryKey: pipelineKeys.all });
      guard.release();
      await navigate(pipelinePath(name));
    },
  });
  const taken = hasStatus(create.error, 412);
  return (
    <>
      <PageHeader title={t("pipelines.new")} />
      <DefinitionForm
        value={text}
        onChange={setText}
        error={taken ? null : create.error}
        busy={create.isPending}
        okText={t("common.create")}
        onSubmit={form.submit}
        onCancel={() => void navigate(pipelinesPath)}
      >
        <Form form={form} layout="vertical" requiredMark={false} onFinish={(fields) => create.mutate(fields)}>
          <Form.Item
            name="name"
            label={t("pipelines.name")}
            extra={t("pipelineForm.nameHint")}
            {...(taken ? { validateStatus: "error" as const, help: t("pipelineForm.taken") } : {})}
            rules={[{ required: true, whitespace: true, message: t("common.required") }]}
          >
            <Input className="mono" autoFocus spellCheck={false} autoComplete="off" maxLength={64} />
          </Form.Item>
        </Form>
      </DefinitionForm>
    </>
  );
}
