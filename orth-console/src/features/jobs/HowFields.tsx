import { Form, InputNumber, Select } from "antd";
import { useTranslation } from "react-i18next";
import { blockStrategies } from "../../api/execution";
import type { JobFields } from "./jobFields";

/** What an executor does while the job is busy there, and for how long a run may take. */
export function HowFields() {
  const { t } = useTranslation();
  const block = Form.useWatch<JobFields["blockStrategy"]>("blockStrategy") ?? "SERIAL";
  const required = { required: true, message: t("common.required") };
  return (
    <>
      <Form.Item name="blockStrategy" label={t("execution.block")} extra={t(`execution.blockHint.${block}`)}>
        <Select options={blockStrategies.map((each) => ({ value: each, label: t(`execution.blockName.${each}`) }))} />
      </Form.Item>
      {block === "CONCURRENT" ? (
        <Form.Item name="concurrency" label={t("execution.concurrency")} rules={[required]}>
          <InputNumber min={1} max={10_000} precision={0} />
        </Form.Item>
      ) : null}
      <Form.Item name="timeoutSeconds" label={t("execution.timeout")} extra={t("execution.timeoutHint")} rules={[required]}>
        <InputNumber min={0} max={2_592_000} precision={0} />
      </Form.Item>
    </>
  );
}
