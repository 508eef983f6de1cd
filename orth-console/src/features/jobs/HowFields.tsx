import { Form, InputNumber, Select } from "antd";
import { useTranslation } from "react-i18next";
import { blockScopes, blockStrategies } from "../../api/execution";
import type { JobFields } from "./jobFields";

/** What becomes of a run while the job is busy, and for how long a run may take. */
export function HowFields() {
  const { t } = useTranslation();
  const block = Form.useWatch<JobFields["blockStrategy"]>("blockStrategy") ?? "SERIAL";
  const scope = Form.useWatch<JobFields["blockScope"]>("blockScope") ?? "EXECUTOR";
  const hint = block !== "CONCURRENT" && scope === "CLUSTER" ? t(`execution.clusterHint.${block}`) : t(`execution.blockHint.${block}`);
  const required = { required: true, message: t("common.required") };
  return (
    <>
      <Form.Item name="blockStrategy" label={t("execution.block")} extra={hint}>
        <Select options={blockStrategies.map((each) => ({ value: each, label: t(`execution.blockName.${each}`) }))} />
      </Form.Item>
      {block === "CONCURRENT" ? (
        <Form.Item name="concurrency" label={t("execution.concurrency")} rules={[required]}>
          <InputNumber min={1} max={10_000} precision={0} />
        </Form.Item>
      ) : (
        <Form.Item name="blockScope" label={t("execution.scope")}>
          <Select options={blockScopes.map((each) => ({ value: each, label: t(`execution.scopeName.${each}`) }))} />
        </Form.Item>
      )}
      <Form.Item name="timeoutSeconds" label={t("execution.timeout")} extra={t("execution.timeoutHint")} rules={[required]}>
        <InputNumber min={0} max={2_592_000} precision={0} />
      </Form.Item>
    </>
  );
}
