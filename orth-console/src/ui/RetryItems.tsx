import { Form, InputNumber } from "antd";
import { useTranslation } from "react-i18next";

const longestSeconds = 30 * 86_400;

/** How often something is attempted and how long each further attempt waits: the same in the forms of jobs and queues. */
export function RetryItems({ hint }: { hint: string }) {
  const { t } = useTranslation();
  const required = [{ required: true, message: t("common.required") }];
  // Hidden, not left out: what is not shown is saved as it was.
  const retried = (Form.useWatch<number | undefined>("maxAttempts") ?? 1) > 1;
  return (
    <>
      <Form.Item name="maxAttempts" label={t("retry.maxAttempts")} extra={hint} rules={required}>
        <InputNumber min={1} max={100} precision={0} />
      </Form.Item>
      <div className="form-row">
        <Form.Item name="backoff.initialDelay" label={t("retry.initialDelay")} rules={required} hidden={!retried}>
          <InputNumber min={0} max={longestSeconds} />
        </Form.Item>
        <Form.Item name="backoff.multiplier" label={t("retry.multiplier")} rules={required} hidden={!retried}>
          <InputNumber min={1} max={100} step={0.5} />
        </Form.Item>
        <Form.Item name="backoff.maxDelay" label={t("retry.maxDelay")} rules={required} hidden={!retried}>
          <InputNumber min={0} max={longestSeconds} />
        </Form.Item>
        <Form.Item name="backoff.jitter" label={t("retry.jitter")} tooltip={t("retry.jitterHint")} rules={required} hidden={!retried}>
          <InputNumber min={0} max={1} step={0.1} />
        </Form.Item>
      </div>
    </>
  );
}
