import { DatePicker, Form, Input, InputNumber, Radio, Select, Space } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { misfirePolicies, type ScheduleType, scheduleTypes } from "../../api/schedules";
import { durationUnits } from "../../lib/duration";
import { cronWords } from "../../lib/scheduleWords";
import { allZones, viewerZone } from "../../lib/time";
import type { JobFields } from "./jobFields";

const repeats: Record<ScheduleType, boolean> = { CRON: true, FIXED_RATE: true, FIXED_DELAY: true, ONE_SHOT: false, NONE: false };

/** The "when" of the form. Which fields show depends on the kind of schedule. */
export function ScheduleFields() {
  const { t } = useTranslation();
  const type = Form.useWatch<JobFields["type"] | undefined>("type") ?? "NONE";
  return (
    <>
      <Form.Item name="type" label={t("jobForm.type")}>
        <Radio.Group
          optionType="button"
          options={scheduleTypes.map((each) => ({ value: each, label: t(`schedule.type.${each}`) }))}
        />
      </Form.Item>
      {type === "CRON" ? <CronFields /> : null}
      {type === "FIXED_RATE" || type === "FIXED_DELAY" ? <IntervalFields type={type} /> : null}
      {type === "ONE_SHOT" ? <OneShotField /> : null}
      {repeats[type] ? <WindowFields counts={type === "FIXED_RATE"} /> : null}
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

function IntervalFields({ type }: { type: "FIXED_RATE" | "FIXED_DELAY" }) {
  const { t } = useTranslation();
  return (
    <Form.Item
      label={t(type === "FIXED_RATE" ? "jobForm.interval" : "when.delay")}
      extra={type === "FIXED_DELAY" ? t("when.delayHint") : undefined}
      htmlFor="amount"
      required
    >
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

function OneShotField() {
  const { t } = useTranslation();
  return (
    <Form.Item name="at" label={t("when.at", { zone: viewerZone() })} rules={[{ required: true, message: t("common.required") }]}>
      <DatePicker showTime />
    </Form.Item>
  );
}

/** `counts`: whether the fires are counted from the start. */
function WindowFields({ counts }: { counts: boolean }) {
  const { t } = useTranslation();
  const hint = t("when.windowHint", { zone: viewerZone() });
  return (
    <div className="window-fields">
      <Form.Item name="start" label={t("when.start")} extra={counts ? `${hint} ${t("when.counted")}` : hint}>
        <DatePicker showTime />
      </Form.Item>
      <Form.Item name="end" label={t("when.end")}>
        <DatePicker showTime />
      </Form.Item>
    </div>
  );
}
