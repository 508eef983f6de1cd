import { get, post, withQuery } from "./http";
import { mapPage, type Page, pageSize, toDate } from "./page";

export const outboxStates = ["PARKED", "PENDING"] as const;
export type OutboxState = (typeof outboxStates)[number];

/** As the API sends it: ids are strings, times are ISO text. */
export type OutboxEntryWire = {
  id: string;
  /** Where it goes: `QUEUE` or `WEBHOOK`. */
  kind: string;
  /** The name of that queue or webhook. */
  destination: string;
  /** The task that is to be told of. */
  jobId: string;
  rootJobId: string;
  attempts: number;
  lastError: string | null;
  createdAt: string;
  nextAttemptAt: string | null;
  parkedAt: string | null;
};

/** A promise to tell a queue or a webhook of one task; a parked one could not be sent, so its task has failed. */
export type OutboxEntry = Omit<OutboxEntryWire, "lastError" | "createdAt" | "nextAttemptAt" | "parkedAt"> & {
  lastError: string;
  createdAt: Date;
  nextAttemptAt: Date | null;
  parkedAt: Date | null;
};

export const toOutboxEntry = (wire: OutboxEntryWire): OutboxEntry => ({
  ...wire,
  lastError: wire.lastError ?? "",
  createdAt: new Date(wire.createdAt),
  nextAttemptAt: toDate(wire.nextAttemptAt),
  parkedAt: toDate(wire.parkedAt),
});

export const outboxKeys = {
  all: ["outbox"] as const,
  list: (state: OutboxState) => [...outboxKeys.all, "list", state] as const,
  parked: ["outbox", "parked"] as const,
};

export const listOutbox = async (
  state: OutboxState,
  after: string | null,
  signal?: AbortSignal,
  limit = pageSize,
): Promise<Page<OutboxEntry>> =>
  mapPage(await get<Page<OutboxEntryWire>>(withQuery("/api/outbox", { state, limit, after }), signal), toOutboxEntry);

/** The server takes no more ids at once. */
export const mostRedriven = 1000;

/** Gives back how many of them it concerned. */
export const redrive = async (ids: string[] | "all"): Promise<number> =>
  (await post<{ redriven: number }>("/api/outbox/redrive", ids === "all" ? { all: true } : { ids })).redriven;
