import { post } from "./http";

export const scheduleTypes = ["CRON", "FIXED_RATE", "FIXED_DELAY", "ONE_SHOT", "NONE"] as const;
export type ScheduleType = (typeof scheduleTypes)[number];

/**
 * When a job fires. `cron` and `zone` belong to CRON, `interval` (an ISO duration) to FIXED_RATE and FIXED_DELAY, `at` to
 * ONE_SHOT, `start` and `end` to what repeats.
 */
export type Schedule = {
  type: ScheduleType;
  cron: string | null;
  zone: string | null;
  interval: string | null;
  at: string | null;
  start: string | null;
  end: string | null;
};

export const noSchedule: Schedule = { type: "NONE", cron: null, zone: null, interval: null, at: null, start: null, end: null };

export const misfirePolicies = ["DO_NOTHING", "FIRE_ONCE", "FIRE_ALL"] as const;
export type MisfirePolicy = (typeof misfirePolicies)[number];

export const scheduleKeys = { preview: (schedule: Schedule) => ["schedules", "preview", schedule] as const };

/** `estimated` where the times also depend on how long runs take. */
export type Preview = { times: Date[]; estimated: boolean };

/** The server computes the fires; the browser never does. */
export const previewSchedule = async (schedule: Schedule, count: number): Promise<Preview> => {
  const preview = await post<{ times: string[]; estimated: boolean }>("/api/schedules/preview", { schedule, count });
  return { ...preview, times: preview.times.map((time) => new Date(time)) };
};
