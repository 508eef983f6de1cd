import { get, path, post, withQuery } from "./http";
import type { KillOutcome } from "./kills";
import { mapPage, type Page, pageSize, toDate } from "./page";
import { queueKeys } from "./queues";

export const messageStatuses = ["WAITING", "RUNNING", "DONE", "DEAD", "DISCARDED"] as const;
export type MessageStatus = (typeof messageStatuses)[number];

export const lanes = ["CRITICAL", "HIGH", "DEFAULT", "LOW"] as const;
export type Lane = (typeof lanes)[number];

/** Why a message is in its status. */
export const messageCauses = [
  "PUSHED",
  "CLAIMED",
  "COMPLETED",
  "FAILED",
  "TIMED_OUT",
  "RETURNED",
  "LOST",
  "EXHAUSTED",
  "FAILED_FOR_GOOD",
  "RETRIED",
  "DISCARDED",
] as const;
export type MessageCause = (typeof messageCauses)[number];

type FailureWire = {
  attempt: number;
  logId: string | number | null;
  executorId: string | number | null;
  startedAt: string | null;
  endedAt: string | null;
  code: number;
  error: string;
};

/** As the API sends it: ids are strings, times are ISO text. */
export type MessageWire = {
  id: string;
  queue: string;
  status: MessageStatus;
  lane: Lane;
  /** Whether another message of its group comes first. */
  blocked: boolean;
  attempt: number;
  maxAttempts: number;
  pushedAt: string;
  dueAt: string | null;
  statusAt: string;
  claimedAt: string | null;
  executorId: string | null;
  logId: string | null;
  uniqueKey: string | null;
  groupKey: string | null;
  traceId: string | null;
  metadata: Record<string, string> | null;
  failures: FailureWire[];
  no: string | null;
  /** This and what follows to `fingerprint`: of one that was given up. */
  cause: string | null;
  error: string | null;
  stack: string | null;
  fingerprint: string | null;
  result: string | null;
  payload: string | null;
};

/** An attempt that failed. */
export type FailedAttempt = Omit<FailureWire, "logId" | "executorId" | "startedAt" | "endedAt"> & {
  logId: string | null;
  executorId: string | null;
  startedAt: Date | null;
  endedAt: Date | null;
};

type MessageTimes = "pushedAt" | "dueAt" | "statusAt" | "claimedAt";

export type Message = Omit<MessageWire, MessageTimes | "metadata" | "failures" | "payload"> & {
  pushedAt: Date;
  dueAt: Date | null;
  statusAt: Date;
  claimedAt: Date | null;
  metadata: Record<string, string>;
  failures: FailedAttempt[];
  payload: string;
};

const toText = (value: string | number | null): string | null => (value === null ? null : String(value));

const toFailure = (wire: FailureWire): FailedAttempt => ({
  ...wire,
  logId: toText(wire.logId),
  executorId: toText(wire.executorId),
  startedAt: toDate(wire.startedAt),
  endedAt: toDate(wire.endedAt),
});

export const toMessage = (wire: MessageWire): Message => ({
  ...wire,
  pushedAt: new Date(wire.pushedAt),
  dueAt: toDate(wire.dueAt),
  statusAt: new Date(wire.statusAt),
  claimedAt: toDate(wire.claimedAt),
  metadata: wire.metadata ?? {},
  failures: wire.failures.map(toFailure),
  payload: wire.payload ?? "",
});

const after: Record<MessageStatus, { ended: boolean; retry: boolean; discard: boolean }> = {
  WAITING: { ended: false, retry: false, discard: true },
  RUNNING: { ended: false, retry: false, discard: false },
  DONE: { ended: true, retry: false, discard: false },
  DEAD: { ended: false, retry: true, discard: true },
  DISCARDED: { ended: true, retry: false, discard: false },
};

/** Nothing follows any more. */
export const isOver = (status: MessageStatus): boolean => after[status].ended;
export const canRetry = (status: MessageStatus): boolean => after[status].retry;
export const canDiscard = (status: MessageStatus): boolean => after[status].discard;
export const canKill = (status: MessageStatus): boolean => status === "RUNNING";

/** What is pushed; what is absent is decided by the queue. Durations are ISO-8601. */
export type MessageDraft = {
  payload: string;
  lane: Lane;
  dueAt?: string;
  delay?: string;
  uniqueKey?: string;
  uniqueFor?: string;
  groupKey?: string;
  maxAttempts?: number;
  metadata?: Record<string, string>;
};

/** `id` is that of the message which has the unique key where it is a duplicate. */
export type Pushed = { id: string; duplicate: boolean };

/** The server takes no more ids at once. */
export const mostAtOnce = 1000;

export const messageKeys = {
  list: (queue: string, status: MessageStatus) => [...queueKeys.one(queue), "messages", status] as const,
  one: (queue: string, id: string) => [...queueKeys.one(queue), "message", id] as const,
};

export const listMessages = async (
  queue: string,
  status: MessageStatus,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<Page<Message>> => {
  const url = withQuery(path`/api/queues/${queue}/messages`, { status, limit: pageSize, after: cursor });
  return mapPage(await get<Page<MessageWire>>(url, signal), toMessage);
};

export const readMessage = async (queue: string, id: string, signal?: AbortSignal): Promise<Message> =>
  toMessage(await get<MessageWire>(path`/api/queues/${queue}/messages/${id}`, signal));

export const pushMessage = (queue: string, draft: MessageDraft): Promise<Pushed> =>
  post<Pushed>(path`/api/queues/${queue}/messages`, draft);

/** With its own payload where none is given. */
export const retryMessage = async (queue: string, id: string, payload: string | null): Promise<Message> =>
  toMessage(await post<MessageWire>(path`/api/queues/${queue}/messages/${id}/retry`, payload === null ? {} : { payload }));

export const discardMessage = async (queue: string, id: string): Promise<Message> =>
  toMessage(await post<MessageWire>(path`/api/queues/${queue}/messages/${id}/discard`));

/** Gives back how many of them it concerned. */
export const retryMessages = async (queue: string, ids: string[]): Promise<number> =>
  (await post<{ count: number }>(path`/api/queues/${queue}/messages/retry`, { ids })).count;

export const discardMessages = async (queue: string, ids: string[]): Promise<number> =>
  (await post<{ count: number }>(path`/api/queues/${queue}/messages/discard`, { ids })).count;

/** What became of an attempt, and what is awaited. */
export type KilledMessage = { id: string; outcome: KillOutcome; status: MessageStatus; detail: string };

/** Ends the attempt that goes on; it counts as failed. */
export const killMessage = (queue: string, id: string, reason: string): Promise<KilledMessage> =>
  post(path`/api/queues/${queue}/messages/${id}/kill`, reason.trim() === "" ? {} : { reason: reason.trim() });
