import { get, path, post, put } from "./http";
import { toDate } from "./page";

/** When failed attempts are followed by the next; durations are ISO-8601. */
export type RetryRule = { first: string; factor: number; most: string };

/** What happened in the last `seconds`. Averages are null where there was nothing to average. */
export type Lately = {
  seconds: number;
  pushed: number;
  claimed: number;
  done: number;
  failed: number;
  dead: number;
  waitMillis: number | null;
  runMillis: number | null;
};

/** As the API sends it: ids are strings, times are ISO text. */
export type QueueWire = {
  name: string;
  /** Null until a group first works on it. */
  groupId: string | null;
  groupName: string | null;
  paused: boolean;
  maxAttempts: number;
  retry: RetryRule;
  rateLimit: number | null;
  concurrencyLimit: number | null;
  version: number;
  createdAt: string;
  waiting: number;
  running: number;
  dead: number;
  /** Executors that ask for its messages. */
  workers: number;
  nextDue: string | null;
  /** For how long the first waiting message has been due. */
  oldestSeconds: number;
  lately: Lately;
};

export type Queue = Omit<QueueWire, "createdAt" | "nextDue"> & { createdAt: Date; nextDue: Date | null };

export const toQueue = (wire: QueueWire): Queue => ({
  ...wire,
  createdAt: new Date(wire.createdAt),
  nextDue: toDate(wire.nextDue),
});

/** What the settings change. `version` is the one that was read. */
export type QueueDraft = Pick<QueueWire, "groupId" | "maxAttempts" | "retry" | "rateLimit" | "concurrencyLimit" | "version">;

export const queueKeys = {
  all: ["queues"] as const,
  list: ["queues", "list"] as const,
  one: (name: string) => [...queueKeys.all, "one", name] as const,
};

export const listQueues = async (signal?: AbortSignal): Promise<Queue[]> =>
  (await get<{ items: QueueWire[] }>("/api/queues", signal)).items.map(toQueue);

export const readQueue = async (name: string, signal?: AbortSignal): Promise<Queue> =>
  toQueue(await get<QueueWire>(path`/api/queues/${name}`, signal));

export const configureQueue = async (name: string, draft: QueueDraft): Promise<Queue> =>
  toQueue(await put<QueueWire>(path`/api/queues/${name}`, draft));

export const setPaused = async (name: string, paused: boolean): Promise<Queue> =>
  toQueue(await post<QueueWire>(path`/api/queues/${name}/${paused ? "pause" : "resume"}`));
