import { get, path, post } from "./http";
import { all } from "./page";

export const executorStatuses = ["ONLINE", "OFFLINE", "DEAD"] as const;
export type ExecutorStatus = (typeof executorStatuses)[number];

/** Which wire it speaks. */
export const executorKinds = ["ORTH", "XXL_JOB"] as const;
export type ExecutorKind = (typeof executorKinds)[number];

/** How an executor does: megabytes, counts, and shares of all cores, which are null where its system does not say. */
export type Metrics = {
  /** The load average of its host, whatever runs there; above 1 where more waits than the host has cores. */
  cpu: number | null;
  /** What its own process used lately, from 0 to 1. */
  processCpu: number | null;
  ram: { rss: number; heapUsed: number; heapTotal: number };
  running: number;
  queued: number;
  leakedThreads: number;
};

type ExecutorWire = {
  instanceId: string;
  groupId: string;
  groupName: string;
  address: string;
  kind: ExecutorKind;
  status: ExecutorStatus;
  host: string | null;
  pid: string | number | null;
  version: string | null;
  registeredAt: string;
  lastBeatAt: string;
  draining: boolean;
  unreachableAt: string | null;
  metrics: Metrics | null;
};

/** One process that registered as an executor. What it said last counts only while it is online. */
export type Executor = Omit<ExecutorWire, "pid" | "registeredAt" | "lastBeatAt" | "unreachableAt"> & {
  /** Whether an admin cannot reach it although it sends heartbeats. */
  unreachable: boolean;
  pid: string | null;
  registeredAt: Date;
  lastBeatAt: Date;
};

export const toExecutor = ({ unreachableAt, ...wire }: ExecutorWire): Executor => ({
  ...wire,
  unreachable: unreachableAt !== null && wire.status === "ONLINE",
  pid: wire.pid === null ? null : String(wire.pid),
  registeredAt: new Date(wire.registeredAt),
  lastBeatAt: new Date(wire.lastBeatAt),
  draining: wire.draining && wire.status === "ONLINE",
  metrics: wire.status === "ONLINE" ? wire.metrics : null,
});

/** How an executor did in one minute. */
export type Sample = { at: Date; metrics: Metrics };

export const executorKeys = {
  all: ["executors"] as const,
  list: (gone: boolean) => ["executors", "list", gone] as const,
  rejected: ["executors", "rejected"] as const,
  history: (instanceId: string) => ["executors", instanceId, "history"] as const,
};

/** With `gone` also those that have been gone for a while. */
export const listExecutors = async (gone: boolean, signal?: AbortSignal): Promise<Executor[]> =>
  (await all<ExecutorWire>("/api/executors", gone ? { gone: "true" } : {}, signal)).map(toExecutor);

/** Oldest first. */
export const executorHistory = async (instanceId: string, signal?: AbortSignal): Promise<Sample[]> =>
  (await get<{ at: string; metrics: Metrics }[]>(path`/api/executors/${instanceId}/metrics`, signal))
    .map(({ at, metrics }) => ({ at: new Date(at), metrics }))
    .toReversed();

export const drainExecutor = async (instanceId: string): Promise<Executor> =>
  toExecutor(await post<ExecutorWire>(path`/api/executors/${instanceId}/drain`));

export const rejectionReasons = ["WRONG_TOKEN", "WRONG_GROUP", "INVALID_ADDRESS", "ADDRESS_NOT_ALLOWED", "INVALID_REQUEST"] as const;
export type RejectionReason = (typeof rejectionReasons)[number];

type RejectedWire = {
  address: string | null;
  groupName: string | null;
  peer: string;
  reason: RejectionReason;
  message: string;
  attemptCount: number;
  firstSeenAt: string;
  lastSeenAt: string;
};

/** Registrations that were rejected alike. */
export type RejectedRegistration = Omit<RejectedWire, "firstSeenAt" | "lastSeenAt"> & { firstSeenAt: Date; lastSeenAt: Date };

export const toRejected = (wire: RejectedWire): RejectedRegistration => ({
  ...wire,
  firstSeenAt: new Date(wire.firstSeenAt),
  lastSeenAt: new Date(wire.lastSeenAt),
});

/** The last one seen first. */
export const listRejected = async (signal?: AbortSignal): Promise<RejectedRegistration[]> =>
  (await get<RejectedWire[]>("/api/rejected-registrations", signal)).map(toRejected);
