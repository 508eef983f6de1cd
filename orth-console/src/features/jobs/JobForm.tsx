import { Alert, Button, Form, Input, Select, Switch } from "antd";
import type { FormInstance } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { groupLabel } from "../../api/groups";
import type { Schedule } from "../../api/schedules";
import { useGroups } from "../../ui/GroupFilter";
import { isComplete, type JobFields, scheduleOf } from "./jobFields";
import { AfterFields } from "./AfterFields";
import { HowFields } from "./HowFields";
import { RunsFields } from "./RunsFields";
import { ScheduleFields } from "./ScheduleFields";
import { SchedulePreview } from "./SchedulePreview";
import { WhereFields } from "./WhereFields";

type Props = {
  form: FormInstance<JobFields>;
  initial: Partial<JobFields>;
  isNew: boolean;
  /** Which version of its source the form started from. */
  sourceVersion?: number | undefined;
  busy: boolean;
  /** Something to decide before it can be saved; it stands beside the button that saves. */
  notice?: ReactNode;
  onSubmit: (fields: JobFields) => void;
  onCancel: () => void;
};

/** One form for new and known jobs: what runs, when, and beside it when that would be. */
export function JobForm({ form, initial, isNew, sourceVersion, busy, notice, onSubmit, onCancel }: Props) {
  const { t } = useTranslation();
  return (
    <Form<JobFields>
      form={form}
      layout="vertical"
      initialValues={initial}
      scrollToFirstError={{ focus: true }}
      onFinish={(fields) => onSubmit({ ...(initial as JobFields), ...fields })}
      className="job-form"
    >
      <div className="job-form-main">
        <fieldset>
          <legend>{t("jobForm.what")}</legend>
          <WhatFields isNew={isNew} sourceVersion={sourceVersion} />
        </fieldset>
        <fieldset>
          <legend>{t("execution.how")}</legend>
          <HowFields />
        </fieldset>
        <fieldset>
          <legend>{t("routing.where")}</legend>
          <WhereFields />
        </fieldset>
        <fieldset>
          <legend>{t("jobForm.when")}</legend>
          <ScheduleFields />
          {isNew ? (
            <Form.Item name="enabled" label={t("jobForm.enabled")} valuePropName="checked" layout="horizontal" colon={false}>
              <Switch size="small" />
            </Form.Item>
          ) : null}
        </fieldset>
        <fieldset>
          <legend>{t("after.title")}</legend>
          <AfterFields />
        </fieldset>
        <div className="form-end">
          {notice}
          <div className="form-buttons">
            <Button type="primary" htmlType="submit" loading={busy} disabled={notice != null}>
              {isNew ? t("common.create") : t("common.save")}
            </Button>
            <Button onClick={onCancel}>{t("common.cancel")}</Button>
          </div>
        </div>
      </div>
      <PreviewOfForm form={form} />
    </Form>
  );
}

function WhatFields({ isNew, sourceVersion }: { isNew: boolean; sourceVersion: number | undefined }) {
  const { t } = useTranslation();
  const groups = useGroups();
  const required = { required: true, whitespace: true, message: t("common.required") };
  const noGroups = isNew && groups.data?.length === 0;
  return (
    <>
      {noGroups ? <Alert type="warning" showIcon title={t("jobForm.noGroups")} className="form-alert" /> : null}
      <Form.Item name="name" label={t("jobForm.name")} rules={[required]}>
        <Input autoFocus={isNew} autoComplete="off" maxLength={200} />
      </Form.Item>
      <Form.Item name="groupId" label={t("jobForm.group")} rules={[required]}>
        <Select
          showSearch={{ optionFilterProp: "label" }}
          loading={groups.isPending}
          options={(groups.data ?? []).map((group) => ({ value: group.id, label: groupLabel(group) }))}
        />
      </Form.Item>
      <RunsFields sourceVersion={sourceVersion} />
      <Form.Item name="param" label={t("jobForm.param")}>
        <Input.TextArea className="mono" autoSize={{ minRows: 2, maxRows: 12 }} spellCheck={false} />
      </Form.Item>
    </>
  );
}

function PreviewOfForm({ form }: { form: FormInstance<JobFields> }) {
  const type = Form.useWatch("type", form);
  const cron = Form.useWatch("cron", form) ?? "";
  const zone = Form.useWatch("zone", form) ?? "UTC";
  const amount = Form.useWatch("amount", form);
  const unit = Form.useWatch("unit", form) ?? "seconds";
  const at = Form.useWatch("at", form) ?? null;
  const start = Form.useWatch("start", form) ?? null;
  const end = Form.useWatch("end", form) ?? null;
  const fields = { cron, zone, amount: amount ?? 0, unit, at, start, end };
  const schedule: Schedule | null = type !== undefined && isComplete({ ...fields, type }) ? scheduleOf({ ...fields, type }) : null;
  return <SchedulePreview schedule={schedule} form={form} />;
}
