import type { Execution } from "./execution";
import { get, path, withQuery } from "./http";
import { mapPage, type Page, pageSize, toDate } from "./page";
import type { RouteStrategy, Shard } from "./routing";

export const runStatuses = ["INIT", "PENDING", "SUCCESS", "FAILED", "TIMEOUT", "TRIGGER_FAILED", "SKIPPED"] as const;
export type RunStatus = (typeof runStatuses)[number];

export const triggerTypes = ["SCHEDULE", "MISFIRE", "MANUAL", "API", "BACKFILL", "RETRY", "CHILD"] as const;
export type TriggerType = (typeof triggerTypes)[number];

/** Why a run is in its status. */
export const runCauses = [
  "CREATED",
  "ACCEPTED",
  "UNCONFIRMED",
  "REFUSED",
  "NO_EXECUTOR",
  "DISCARDED",
  "CALLBACK",
  "LOST",
  "KILLED",
  "CALLED_OFF",
  "LATE_RESULT",
] as const;
export type RunCause = (typeof runCauses)[number];

/** As the API sends it: ids are strings, times are ISO text. */
export type RunWire = Execution &
  Shard & {
  routing: RouteStrategy;
  id: string;
  jobId: string;
  jobName: string;
  groupId: string;
  groupName: string | null;
  /** Null where its job's source ran. */
  handler: string | null;
  param: string | null;
  status: RunStatus;
  triggerCode: number;
  handleCode: number;
  triggerMsg: string | null;
  handleMsg: string | null;
  cause: string;
  triggerType: TriggerType;
  scheduleTime: string | null;
  createdAt: string;
  triggeredAt: string | null;
  finishedAt: string | null;
  executorAddress: string | null;
  traceId: string | null;
  /** Who wants, or wanted, it ended. */
  kill: { at: string; by: string; reason: string } | null;
  attempt: number;
  /** Null for what is no retry. */
  attempts: number | null;
  retryOf: string | null;
  parentRun: string | null;
  /** It is not sent before. */
  notBefore: string | null;
  /** What it reported after its retry had been sent. */
  late: { handleCode: number; handleMsg: string | null; at: string } | null;
  /** 0 undecided, -1 taken by an alarm, 1 none needed, 2 sent, 3 failed for good. */
  alarmStatus: number;
};

type RunTimes = "scheduleTime" | "createdAt" | "triggeredAt" | "finishedAt" | "notBefore";

export type Run = Omit<RunWire, RunTimes | "param" | "triggerMsg" | "handleMsg" | "groupName" | "late"> & {
  groupName: string;
  param: string;
  triggerMsg: string;
  handleMsg: string;
  scheduleTime: Date | null;
  createdAt: Date;
  triggeredAt: Date | null;
  finishedAt: Date | null;
  notBefore: Date | null;
  late: { handleCode: number; handleMsg: string; at: Date } | null;
};

export const toRun = (wire: RunWire): Run => ({
  ...wire,
  groupName: wire.groupName ?? "",
  param: wire.param ?? "",
  triggerMsg: wire.triggerMsg ?? "",
  handleMsg: wire.handleMsg ?? "",
  scheduleTime: toDate(wire.scheduleTime),
  createdAt: new Date(wire.createdAt),
  triggeredAt: toDate(wire.triggeredAt),
  finishedAt: toDate(wire.finishedAt),
  notBefore: toDate(wire.notBefore),
  late: wire.late === null ? null : { ...wire.late, handleMsg: wire.late.handleMsg ?? "", at: new Date(wire.late.at) },
});

const endings: Record<RunStatus, boolean> = {
  INIT: false,
  PENDING: false,
  SUCCESS: true,
  FAILED: true,
  TIMEOUT: true,
  TRIGGER_FAILED: true,
  SKIPPED: true,
};

/** Whether somebody wants it ended and it is not over yet. */
export const isEnding = (run: Pick<Run, "status" | "kill">): boolean => run.kill !== null && !hasEnded(run.status);

export const hasEnded = (status: RunStatus): boolean => endings[status];

/** From being sent to the end, or to now while it runs; null before it was sent. */
export const runMillis = (run: Pick<Run, "triggeredAt" | "finishedAt" | "status">, now: Date): number | null => {
  if (run.triggeredAt === null) {
    return null;
  }
  const end = run.finishedAt ?? (hasEnded(run.status) ? null : now);
  return end === null ? null : Math.max(0, end.getTime() - run.triggeredAt.getTime());
};

/** As the address has it: several statuses have commas between. */
export type RunFilter = { jobId?: string; groupId?: string; status?: string; from?: string; to?: string };

export const runKeys = {
  all: ["runs"] as const,
  list: (filter: RunFilter) => [...runKeys.all, "list", filter] as const,
  one: (id: string) => [...runKeys.all, "one", id] as const,
  transitions: (id: string) => [...runKeys.all, "transitions", id] as const,
};

export const listRuns = async (
  filter: RunFilter,
  after: string | null,
  signal?: AbortSignal,
  limit = pageSize,
): Promise<Page<Run>> =>
  mapPage(await get<Page<RunWire>>(withQuery("/api/runs", { ...filter, status: filter.status?.split(","), limit, after }), signal), toRun);

export const readRun = async (id: string, signal?: AbortSignal): Promise<Run> =>
  toRun(await get<RunWire>(path`/api/runs/${id}`, signal));
