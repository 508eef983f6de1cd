import { Form, Input, InputNumber, Radio, Select, Space } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { misfirePolicies, scheduleTypes } from "../../api/schedules";
import { durationUnits } from "../../lib/duration";
import { cronWords } from "../../lib/scheduleWords";
import { allZones } from "../../lib/time";
import type { JobFields } from "./jobFields";

/** The "when" of the form. Which fields show depends on the kind of schedule. */
export function ScheduleFields() {
  const { t } = useTranslation();
  const type = Form.useWatch<JobFields["type"]>("type");
  return (
    <>
      <Form.Item name="type" label={t("jobForm.type")}>
        <Radio.Group
          optionType="button"
          options={scheduleTypes.map((each) => ({ value: each, label: t(`schedule.type.${each}`) }))}
        />
      </Form.Item>
      {type === "CRON" ? <CronFields /> : null}
      {type === "FIXED_RATE" ? <RateFields /> : null}
      {type === "NONE" ? null : (
        <Form.Item name="misfire" label={t("jobs.misfire")}>
          <Select options={misfirePolicies.map((each) => ({ value: each, label: t(`schedule.misfire.${each}`) }))} />
        </Form.Item>
      )}
    </>
  );
}

function CronFields() {
  const { t, i18n } = useTranslation();
  const cron = Form.useWatch<string | undefined>("cron") ?? "";
  const zones = useMemo(() => allZones().map((zone) => ({ value: zone, label: zone })), []);
  const words = cron.trim() === "" ? null : cronWords(cron.trim(), i18n.language);
  return (
    <>
      <Form.Item
        name="cron"
        label={t("jobForm.cron")}
        extra={words ?? t("jobForm.cronHint")}
        rules={[{ required: true, whitespace: true, message: t("common.required") }]}
      >
        <Input className="mono" placeholder="0 0/5 * * * ?" spellCheck={false} autoComplete="off" />
      </Form.Item>
      <Form.Item name="zone" label={t("jobForm.zone")}>
        <Select showSearch options={zones} />
      </Form.Item>
    </>
  );
}

function RateFields() {
  const { t } = useTranslation();
  return (
    <Form.Item label={t("jobForm.interval")} htmlFor="amount" required>
      <Space.Compact>
        <Form.Item name="amount" noStyle rules={[{ required: true, message: t("common.required") }]}>
          <InputNumber id="amount" min={0.1} max={1_000_000} />
        </Form.Item>
        <Form.Item name="unit" noStyle>
          <Select
            aria-label={t("jobForm.unit")}
            className="unit-select"
            options={durationUnits.map((unit) => ({ value: unit, label: t(`schedule.unit.${unit}`) }))}
          />
        </Form.Item>
      </Space.Compact>
    </Form.Item>
  );
}
