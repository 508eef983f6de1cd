import { DeleteOutlined, PlusOutlined } from "@ant-design/icons";
import { Button, DatePicker, Form, Input, InputNumber, Radio, Select, Space } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { lanes } from "../../api/messages";
import { durationUnits } from "../../lib/duration";
import { viewerZone } from "../../lib/time";
import { beginnings, type MessageFields } from "./messageFields";
import { prettyJson } from "./payloadText";

/** What a new message has: its payload first, the rest where it matters. */
export function PushFields({ usualAttempts }: { usualAttempts: number | null }) {
  const { t } = useTranslation();
  return (
    <div className="dense-form">
      <PayloadItem />
      <div className="form-row">
        <Form.Item name="lane" label={t("messages.lane")} className="lane-select">
          <Select options={lanes.map((lane) => ({ value: lane, label: t(`lane.${lane}`) }))} />
        </Form.Item>
        <Form.Item name="maxAttempts" label={t("retry.maxAttempts")}>
          <InputNumber min={1} max={100} precision={0} placeholder={usualAttempts === null ? "" : String(usualAttempts)} />
        </Form.Item>
        <WhenItems />
      </div>
      <div className="form-row">
        <Form.Item name="uniqueKey" label={t("messages.uniqueKey")} extra={t("push.uniqueKeyHint")} className="key-item">
          <Input className="mono" spellCheck={false} autoComplete="off" maxLength={200} />
        </Form.Item>
        <DurationItem name="uniqueFor" unit="uniqueUnit" label={t("push.uniqueFor")} extra={t("push.uniqueForHint")} />
      </div>
      <Form.Item name="groupKey" label={t("messages.groupKey")} extra={t("push.groupKeyHint")}>
        <Input className="mono" spellCheck={false} autoComplete="off" maxLength={200} />
      </Form.Item>
      <MetadataItems />
    </div>
  );
}

function PayloadItem() {
  const { t } = useTranslation();
  const payload = Form.useWatch<string | undefined>("payload") ?? "";
  const kind = prettyJson(payload) === null ? t("push.isText") : t("push.isJson");
  return (
    <Form.Item name="payload" label={t("messages.payload")} extra={payload === "" ? t("push.payloadHint") : kind}>
      <Input.TextArea autoFocus className="mono" autoSize={{ minRows: 4, maxRows: 14 }} spellCheck={false} />
    </Form.Item>
  );
}

function WhenItems() {
  const { t } = useTranslation();
  const begin = Form.useWatch<MessageFields["begin"] | undefined>("begin") ?? "NOW";
  return (
    <>
      <Form.Item name="begin" label={t("push.begin")}>
        <Radio.Group optionType="button" options={beginnings.map((each) => ({ value: each, label: t(`push.beginnings.${each}`) }))} />
      </Form.Item>
      {begin === "AFTER" ? <DurationItem name="delay" unit="delayUnit" label={t("push.delay")} required /> : null}
      {begin === "AT" ? (
        <Form.Item
          name="dueAt"
          label={t("when.at", { zone: viewerZone() })}
          rules={[{ required: true, message: t("common.required") }]}
        >
          <DatePicker showTime />
        </Form.Item>
      ) : null}
    </>
  );
}

type DurationProps = {
  name: "delay" | "uniqueFor";
  unit: "delayUnit" | "uniqueUnit";
  label: string;
  extra?: ReactNode;
  required?: boolean;
};

/** A number and its unit; what the server says of it stands below both. */
function DurationItem({ name, unit, label, extra, required = false }: DurationProps) {
  const { t } = useTranslation();
  return (
    <Form.Item name={name} label={label} extra={extra} rules={[{ required, message: t("common.required") }]}>
      <AmountWithUnit unit={unit} />
    </Form.Item>
  );
}

type AmountProps = { unit: DurationProps["unit"]; id?: string; value?: number | null; onChange?: (value: number | null) => void };

/** The form gives it its id, its value and what follows from a change. */
function AmountWithUnit({ unit, id, value = null, onChange }: AmountProps) {
  const { t } = useTranslation();
  return (
    <Space.Compact>
      <InputNumber
        {...(id === undefined ? {} : { id })}
        min={0}
        max={100_000_000}
        value={value}
        onChange={(next) => onChange?.(next)}
      />
      <Form.Item name={unit} noStyle>
        <Select
          aria-label={t("jobForm.unit")}
          className="unit-select"
          options={durationUnits.map((each) => ({ value: each, label: t(`schedule.unit.${each}`) }))}
        />
      </Form.Item>
    </Space.Compact>
  );
}

function MetadataItems() {
  const { t } = useTranslation();
  const required = [{ required: true, message: t("common.required") }];
  return (
    <Form.Item label={t("messages.metadata")} extra={t("push.metadataHint")}>
      <Form.List name="metadata">
        {(rows, { add, remove }) => (
          <>
            {rows.map(({ key, name }) => (
              <div key={key} className="child-row">
                <Form.Item name={[name, "name"]} noStyle rules={required}>
                  <Input className="mono" aria-label={t("push.metadataName")} placeholder={t("push.metadataName")} maxLength={100} />
                </Form.Item>
                <Form.Item name={[name, "value"]} noStyle rules={required}>
                  <Input className="mono" aria-label={t("push.metadataValue")} placeholder={t("push.metadataValue")} maxLength={1000} />
                </Form.Item>
                <Button type="text" icon={<DeleteOutlined />} aria-label={t("push.removeMetadata")} onClick={() => remove(name)} />
              </div>
            ))}
            <Button icon={<PlusOutlined />} size="small" onClick={() => add({})}>
              {t("push.addMetadata")}
            </Button>
          </>
        )}
      </Form.List>
    </Form.Item>
  );
}
