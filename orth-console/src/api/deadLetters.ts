import { get, withQuery } from "./http";
import { mapPage, type Page, pageSize } from "./page";

export const deadKinds = ["MESSAGE", "RUN"] as const;
export type DeadKind = (typeof deadKinds)[number];

/** As the API sends it: numbers of rows and ids are strings, times are ISO text. */
export type DeadLetterWire = {
  /** Its number in the list, by which operations name it. */
  no: string;
  kind: DeadKind;
  /** Of the message or the run. */
  id: string;
  /** Null for runs. */
  queue: string | null;
  /** This and the next two: null for messages. */
  jobId: string | null;
  jobName: string | null;
  handler: string | null;
  /** Of a message, why it was given up; of a run, its status, or that its executor was lost. */
  cause: string | null;
  error: string | null;
  fingerprint: string | null;
  attempt: number;
  maxAttempts: number;
  diedAt: string;
  pushedAt: string;
  traceId: string | null;
  /** Only its beginning. */
  payload: string | null;
};

/** A message that was given up, or a run that failed after its last retry. */
export type DeadLetter = Omit<DeadLetterWire, "diedAt" | "pushedAt" | "payload"> & { diedAt: Date; pushedAt: Date; payload: string };

export const toDeadLetter = (wire: DeadLetterWire): DeadLetter => ({
  ...wire,
  diedAt: new Date(wire.diedAt),
  pushedAt: new Date(wire.pushedAt),
  payload: wire.payload ?? "",
});

export type DeadGroupWire = {
  fingerprint: string | null;
  kind: DeadKind;
  queue: string | null;
  jobId: string | null;
  jobName: string | null;
  /** That of the latest. */
  error: string | null;
  count: number;
  firstSeen: string;
  lastSeen: string;
  /** These two: of the latest; null where it has gone meanwhile. */
  sampleNo: string | null;
  sampleId: string | null;
};

/** Those of one queue or job that failed in the same way. */
export type DeadGroup = Omit<DeadGroupWire, "firstSeen" | "lastSeen"> & { firstSeen: Date; lastSeen: Date };

export const toDeadGroup = (wire: DeadGroupWire): DeadGroup => ({
  ...wire,
  firstSeen: new Date(wire.firstSeen),
  lastSeen: new Date(wire.lastSeen),
});

/** What a filter can say: `error` is a part of the text, `from` and `to` are about when it died. */
export const deadFilterKeys = ["kind", "queue", "jobId", "handler", "traceId", "fingerprint", "error", "from", "to"] as const;
export type DeadFilter = Partial<Record<(typeof deadFilterKeys)[number], string>>;

/** What groups can be told apart by. */
export const groupFilterKeys = ["kind", "queue", "jobId"] as const;
export type GroupFilter = Pick<DeadFilter, (typeof groupFilterKeys)[number]>;

export const mostGroups = 200;

export const deadKeys = {
  all: ["deadLetters"] as const,
  list: (filter: DeadFilter) => [...deadKeys.all, "list", filter] as const,
  groups: (filter: GroupFilter) => [...deadKeys.all, "groups", filter] as const,
};

/** A page may be short, or empty, and yet have a next one: so much is searched at a time. */
export const listDeadLetters = async (filter: DeadFilter, after: string | null, signal?: AbortSignal): Promise<Page<DeadLetter>> =>
  mapPage(await get<Page<DeadLetterWire>>(withQuery("/api/dead-letters", { ...filter, limit: pageSize, after }), signal), toDeadLetter);

export const listDeadGroups = async (filter: GroupFilter, signal?: AbortSignal): Promise<DeadGroup[]> =>
  (await get<{ items: DeadGroupWire[] }>(withQuery("/api/dead-letters/groups", { ...filter, limit: mostGroups }), signal)).items.map(toDeadGroup);

/** Where the file with all that match is. */
export const deadExportUrl = (filter: DeadFilter): string => withQuery("/api/dead-letters/export", filter);
