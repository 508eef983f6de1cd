import { path, post } from "./http";
import type { ScheduleType } from "./schedules";

/** Which schedules have fire times of the past. */
export const canBackfill: Record<ScheduleType, boolean> = {
  CRON: true,
  FIXED_RATE: true,
  FIXED_DELAY: false,
  ONE_SHOT: false,
  NONE: false,
};

/** One planned time; `runId` is null where it has no run yet. */
type SlotWire = { at: string; runId: string | null; isNew: boolean };
type BackfillWire = { dryRun: boolean; runs: number; existing: number; times: SlotWire[] };

export type Slot = { at: Date; runId: string | null };
export type Backfill = Omit<BackfillWire, "times"> & { times: Slot[] };

const ask = async (jobId: string, range: Range, dryRun: boolean): Promise<Backfill> => {
  const body = { from: range.from.toISOString(), to: range.to.toISOString(), dryRun };
  const answer = await post<BackfillWire>(path`/api/jobs/${jobId}/backfill`, body);
  return { ...answer, times: answer.times.map(({ at, runId }) => ({ at: new Date(at), runId })) };
};

export type Range = { from: Date; to: Date };

export const previewBackfill = (jobId: string, range: Range): Promise<Backfill> => ask(jobId, range, true);

export const backfill = (jobId: string, range: Range): Promise<Backfill> => ask(jobId, range, false);
