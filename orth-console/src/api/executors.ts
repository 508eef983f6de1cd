import { all } from "./page";

export const executorStatuses = ["ONLINE", "OFFLINE", "DEAD"] as const;
export type ExecutorStatus = (typeof executorStatuses)[number];

type ExecutorWire = {
  instanceId: string;
  groupId: string;
  groupName: string;
  address: string;
  status: ExecutorStatus;
  host: string | null;
  pid: string | number | null;
  version: string | null;
  registeredAt: string;
  lastBeatAt: string;
};

/** One process that registered as an executor. */
export type Executor = Omit<ExecutorWire, "pid" | "registeredAt" | "lastBeatAt"> & {
  pid: string | null;
  registeredAt: Date;
  lastBeatAt: Date;
};

export const toExecutor = (wire: ExecutorWire): Executor => ({
  ...wire,
  pid: wire.pid === null ? null : String(wire.pid),
  registeredAt: new Date(wire.registeredAt),
  lastBeatAt: new Date(wire.lastBeatAt),
});

export const executorKeys = { all: ["executors"] as const };

export const listExecutors = async (signal?: AbortSignal): Promise<Executor[]> =>
  (await all<ExecutorWire>("/api/executors", {}, signal)).map(toExecutor);
