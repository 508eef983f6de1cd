import { post } from "./http";

export const scheduleTypes = ["CRON", "FIXED_RATE", "NONE"] as const;
export type ScheduleType = (typeof scheduleTypes)[number];

/** When a job fires. `cron` and `zone` belong to CRON, `interval` (an ISO duration) to FIXED_RATE. */
export type Schedule = { type: ScheduleType; cron: string | null; zone: string | null; interval: string | null };

export const misfirePolicies = ["DO_NOTHING", "FIRE_ONCE", "FIRE_ALL"] as const;
export type MisfirePolicy = (typeof misfirePolicies)[number];

export const scheduleKeys = { preview: (schedule: Schedule) => ["schedules", "preview", schedule] as const };

/** The server computes the fires; the browser never does. */
export const previewSchedule = async (schedule: Schedule, count: number): Promise<Date[]> =>
  (await post<{ times: string[] }>("/api/schedules/preview", { schedule, count })).times.map((time) => new Date(time));
