import { Alert, Form, Input, Radio, Select } from "antd";
import { useTranslation } from "react-i18next";
import { glueTypes } from "../../api/execution";
import { useMay } from "../auth/session";
import type { JobFields } from "./jobFields";
import { SourceInput } from "./SourceInput";

/** What the job runs: a handler that the executor has, or source text that is kept with the job. */
export function RunsFields({ sourceVersion }: { sourceVersion: number | undefined }) {
  const { t } = useTranslation();
  const kind = Form.useWatch<JobFields["kind"]>("kind");
  const administers = useMay("administer");
  const canChoose = administers || sourceVersion !== undefined;
  return (
    <>
      <Form.Item name="kind" label={t("execution.runs")} extra={canChoose ? null : t("execution.needsAdmin")}>
        <Radio.Group
          optionType="button"
          options={[
            { value: "HANDLER", label: t("execution.kind.HANDLER") },
            { value: "SOURCE", label: t("execution.kind.SOURCE"), disabled: !canChoose },
          ]}
        />
      </Form.Item>
      {kind === "SOURCE" ? <SourceFields sourceVersion={sourceVersion} /> : <HandlerField />}
    </>
  );
}

function HandlerField() {
  const { t } = useTranslation();
  const required = { required: true, whitespace: true, message: t("common.required") };
  return (
    <Form.Item name="handler" label={t("jobForm.handler")} extra={t("jobForm.handlerHint")} rules={[required]}>
      <Input className="mono" spellCheck={false} autoComplete="off" />
    </Form.Item>
  );
}

function SourceFields({ sourceVersion }: { sourceVersion: number | undefined }) {
  const { t } = useTranslation();
  const type = Form.useWatch<JobFields["glueType"]>("glueType") ?? "GLUE_SHELL";
  const administers = useMay("administer");
  const required = { required: true, whitespace: true, message: t("common.required") };
  return (
    <>
      {administers ? null : <Alert type="info" showIcon className="form-alert" title={t("execution.needsAdmin")} />}
      <Form.Item name="glueType" label={t("execution.language")}>
        <Select disabled={!administers} options={glueTypes.map((each) => ({ value: each, label: t(`execution.glue.${each}`) }))} />
      </Form.Item>
      <Form.Item
        name="source"
        label={sourceVersion === undefined ? t("execution.source") : t("execution.sourceOf", { version: sourceVersion })}
        extra={t("execution.sourceHint")}
        rules={[required]}
      >
        <SourceInput type={type} readOnly={!administers} label={t("execution.source")} />
      </Form.Item>
      {administers ? (
        <Form.Item name="note" label={t("execution.note")}>
          <Input maxLength={200} autoComplete="off" />
        </Form.Item>
      ) : null}
    </>
  );
}
