import type { FormInstance } from "antd";
import dayjs, { type Dayjs } from "dayjs";
import { nothingAfter } from "../../api/afterRun";
import type { Job, JobDraft } from "../../api/jobs";
import type { Routing } from "../../api/routing";
import type { MisfirePolicy, Schedule, ScheduleType } from "../../api/schedules";
import { type DurationUnit, parseDuration, splitDuration, toIsoDuration } from "../../lib/duration";
import { viewerZone } from "../../lib/time";
import { type AfterFields, afterDraft, afterFieldNames, afterOf } from "./afterFields";
import { type ExecutionFields, executionDraft, executionFieldNames, executionOf, newExecution } from "./executionFields";

/** What the form holds: flat, with the interval as people say it. */
export type JobFields = ExecutionFields &
  AfterFields &
  Routing & {
  name: string;
  groupId: string;
  param: string;
  type: ScheduleType;
  cron: string;
  zone: string;
  amount: number;
  unit: DurationUnit;
  at: Dayjs | null;
  start: Dayjs | null;
  end: Dayjs | null;
  misfire: MisfirePolicy;
  enabled: boolean;
};

/** Where the server's names for fields are found in the form. */
export const fieldNames: Record<string, keyof JobFields> = {
  name: "name",
  groupId: "groupId",
  ...executionFieldNames,
  ...afterFieldNames,
  param: "param",
  misfire: "misfire",
  routing: "routing",
  addresses: "addresses",
  schedule: "type",
  "schedule.type": "type",
  "schedule.cron": "cron",
  "schedule.zone": "zone",
  "schedule.interval": "amount",
  "schedule.at": "at",
  "schedule.start": "start",
  "schedule.end": "end",
  cron: "cron",
  zone: "zone",
  interval: "amount",
};

export const newFields = (): Partial<JobFields> => ({
  ...newExecution(),
  ...afterOf(nothingAfter),
  param: "",
  type: "CRON",
  cron: "",
  zone: viewerZone(),
  amount: 30,
  unit: "seconds",
  at: null,
  start: null,
  end: null,
  misfire: "FIRE_ONCE",
  routing: "ROUND",
  addresses: [],
  enabled: true,
});

export function fieldsOf(job: Job): JobFields {
  const { schedule } = job;
  const interval = splitDuration(parseDuration(schedule.interval ?? "") ?? 30);
  return {
    name: job.name,
    groupId: job.groupId,
    ...executionOf(job),
    ...afterOf(job),
    param: job.param,
    type: schedule.type,
    cron: schedule.cron ?? "",
    zone: schedule.zone ?? viewerZone(),
    ...interval,
    at: toDay(schedule.at),
    start: toDay(schedule.start),
    end: toDay(schedule.end),
    misfire: job.misfire,
    routing: job.routing,
    addresses: job.addresses,
    enabled: job.enabled,
  };
}

/** Whether the form holds something else than it began with. */
export const isChanged = (form: FormInstance<JobFields>, initial: Partial<JobFields>): boolean => {
  const now = form.getFieldsValue(true) as Partial<JobFields>;
  return (Object.keys({ ...initial, ...now }) as (keyof JobFields)[]).some((field) => textOf(now[field]) !== textOf(initial[field]));
};

/** A field that was emptied is as good as one that never held anything. */
const textOf = (value: unknown): string => JSON.stringify(value ?? "");

const toDay = (text: string | null): Dayjs | null => (text === null ? null : dayjs(text));

export type WhenFields = Pick<JobFields, "type" | "cron" | "zone" | "amount" | "unit" | "at" | "start" | "end">;

/** Only what belongs to the type is sent; the rest is null. */
export function scheduleOf(fields: WhenFields): Schedule {
  const { type } = fields;
  const repeats = type !== "NONE" && type !== "ONE_SHOT";
  return {
    type,
    cron: type === "CRON" ? fields.cron.trim() : null,
    zone: type === "CRON" ? fields.zone : null,
    interval: type === "FIXED_RATE" || type === "FIXED_DELAY" ? toIsoDuration(fields.amount, fields.unit) : null,
    at: type === "ONE_SHOT" ? (fields.at?.toISOString() ?? null) : null,
    start: repeats ? (fields.start?.toISOString() ?? null) : null,
    end: repeats ? (fields.end?.toISOString() ?? null) : null,
  };
}

export const draftOf = (fields: JobFields, version?: number): JobDraft => ({
  name: fields.name.trim(),
  groupId: fields.groupId,
  ...executionDraft(fields),
  ...afterDraft(fields),
  param: fields.param ?? "",
  schedule: scheduleOf(fields),
  misfire: fields.misfire,
  routing: fields.routing,
  addresses: fields.addresses.map((address) => address.trim()),
  enabled: fields.enabled,
  ...(version === undefined ? {} : { version }),
});

/** Whether there is enough to ask the server when it would fire. */
export const isComplete = ({ type, cron, amount, at }: WhenFields): boolean =>
  ({ NONE: true, CRON: cron.trim() !== "", FIXED_RATE: amount > 0, FIXED_DELAY: amount > 0, ONE_SHOT: at !== null })[type];
