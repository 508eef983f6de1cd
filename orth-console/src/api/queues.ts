import { get, path, post, put, remove, withQuery } from "./http";
import { mapPage, type Page, toDate } from "./page";
import type { RetryPolicy } from "./retry";

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
export type QueueWire = RetryPolicy & {
  name: string;
  /** Null until a group first works on it. */
  groupId: string | null;
  groupName: string | null;
  paused: boolean;
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
export type QueueDraft = Pick<QueueWire, "groupId" | "maxAttempts" | "backoff" | "rateLimit" | "concurrencyLimit" | "version">;

export const queueKeys = {
  all: ["queues"] as const,
  /** Those with this in their names. */
  list: (q = "") => [...queueKeys.all, "list", q] as const,
  throughput: (name: string) => [...queueKeys.all, "throughput", name] as const,
  one: (name: string) => [...queueKeys.all, "one", name] as const,
};

/** The first 500 by name; where there are more, `next` is not null. */
export const listQueues = async (q?: string, signal?: AbortSignal): Promise<Page<Queue>> =>
  mapPage(await get<Page<QueueWire>>(withQuery("/api/queues", { q }), signal), toQueue);

/** What happened in one minute. Averages are null where there was nothing to average. */
export type QueueMinuteWire = Omit<Lately, "seconds"> & { minute: string };
export type QueueMinute = Omit<QueueMinuteWire, "minute"> & { minute: Date };

type ThroughputWire = { from: string; to: string; items: QueueMinuteWire[] };

/** Every minute from the first to the last, those in which nothing happened too. */
export function toMinutes({ from, to, items }: ThroughputWire): QueueMinute[] {
  const told = new Map(items.map((item) => [Date.parse(item.minute), item]));
  const minutes: QueueMinute[] = [];
  for (let at = Date.parse(from); at < Date.parse(to); at += 60_000) {
    const nothing = { pushed: 0, claimed: 0, done: 0, failed: 0, dead: 0, waitMillis: null, runMillis: null };
    minutes.push({ ...nothing, ...told.get(at), minute: new Date(at) });
  }
  return minutes;
}

export const readThroughput = async (name: string, signal?: AbortSignal): Promise<QueueMinute[]> =>
  toMinutes(await get<ThroughputWire>(path`/api/queues/${name}/throughput`, signal));

export const readQueue = async (name: string, signal?: AbortSignal): Promise<Queue> =>
  toQueue(await get<QueueWire>(path`/api/queues/${name}`, signal));

export const configureQueue = async (name: string, draft: QueueDraft): Promise<Queue> =>
  toQueue(await put<QueueWire>(path`/api/queues/${name}`, draft));

/** One that has no messages any more. */
export const deleteQueue = (name: string): Promise<void> => remove(path`/api/queues/${name}`);

export const setPaused = async (name: string, paused: boolean): Promise<Queue> =>
  toQueue(await post<QueueWire>(path`/api/queues/${name}/${paused ? "pause" : "resume"}`));
