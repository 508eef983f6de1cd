import { Form, type FormInstance, Input } from "antd";
import { useTranslation } from "react-i18next";
import { mostTargets, objectOf, type RunFields, targetLines, targetsTwice } from "./runFields";

type Fields = Pick<FormInstance, "getFieldsValue">;
type Check = (text: string | undefined, form: Fields) => string | null;

/** A rule of a form from a function that says what is wrong, or null. */
const rule = (check: Check) => (form: Fields) => ({
  validator: (_: unknown, text: string | undefined): Promise<void> => {
    const wrong = check(text, form);
    return wrong === null ? Promise.resolve() : Promise.reject(new Error(wrong));
  },
});

/** What a run is about: its targets, and what every task is told. */
export function RunItems() {
  const { t } = useTranslation();
  const checkTargets: Check = (text, form) => {
    const { targets, badLine } = targetLines(text);
    if (badLine !== null) {
      return t("pipelineStart.badLine", { line: badLine });
    }
    if (targets.length > mostTargets) {
      return t("pipelineStart.tooMany", { most: mostTargets });
    }
    return targetsTwice(form.getFieldsValue() as RunFields) ? t("pipelineStart.twice") : null;
  };
  const checkObject: Check = (text) => (objectOf(text) === null ? t("pipelineStart.noObject") : null);
  return (
    <div className="dense-form">
      <Form.Item name="targets" label={t("pipelineStart.targets")} extra={t("pipelineStart.targetsHint")} rules={[rule(checkTargets)]} validateTrigger="onBlur">
        <Input.TextArea className="mono" autoFocus autoSize={{ minRows: 3, maxRows: 10 }} spellCheck={false} placeholder={t("pipelineStart.targetsExample")} />
      </Form.Item>
      <Form.Item name="scope" label={t("pipelineStart.scope")} extra={t("pipelineStart.scopeHint")} rules={[rule(checkObject)]} validateTrigger="onBlur">
        <Input.TextArea className="mono" autoSize={{ minRows: 2, maxRows: 10 }} spellCheck={false} placeholder="{}" />
      </Form.Item>
      <Form.Item name="options" label={t("pipelineStart.options")} extra={t("pipelineStart.optionsHint")} rules={[rule(checkObject)]} validateTrigger="onBlur">
        <Input.TextArea className="mono" autoSize={{ minRows: 2, maxRows: 10 }} spellCheck={false} placeholder="{}" />
      </Form.Item>
    </div>
  );
}
