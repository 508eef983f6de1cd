import type { DeadFilter } from "./deadLetters";
import { get, path, post, withQuery } from "./http";
import { mapPage, type Page, pageSize, toDate } from "./page";

/** What can be asked for about dead letters. */
export const bulkActions = ["RETRY", "DISCARD"] as const;
export type BulkAction = (typeof bulkActions)[number];

export type OperationAction = BulkAction | "PURGE";

export const operationStatuses = ["RUNNING", "PAUSED", "DONE", "ABORTED"] as const;
export type OperationStatus = (typeof operationStatuses)[number];

/** As the API sends it: ids are strings, times are ISO text. */
export type OperationWire = {
  id: string;
  action: OperationAction;
  status: OperationStatus;
  /** One of these three says what it concerns, unless it purges a queue. */
  filter: DeadFilter | null;
  ids: string[] | null;
  all: boolean | null;
  /** The one that is purged. */
  queue: string | null;
  reason: string | null;
  total: number;
  done: number;
  /** Were not dead any more. */
  skipped: number;
  /** Could not be done; the others went on. */
  failed: number;
  lastError: string | null;
  /** The queue or job that has enough to do for now; null where it goes on. */
  heldBy: string | null;
  createdBy: string | null;
  createdAt: string;
  updatedAt: string;
  finishedAt: string | null;
};

export type Operation = Omit<OperationWire, "createdAt" | "updatedAt" | "finishedAt" | "reason"> & {
  reason: string;
  createdAt: Date;
  updatedAt: Date;
  finishedAt: Date | null;
};

export const toOperation = (wire: OperationWire): Operation => ({
  ...wire,
  reason: wire.reason ?? "",
  createdAt: new Date(wire.createdAt),
  updatedAt: new Date(wire.updatedAt),
  finishedAt: toDate(wire.finishedAt),
});

export const operationMoves = ["pause", "resume", "abort"] as const;
export type OperationMove = (typeof operationMoves)[number];

/** What can be asked of it where it stands. A new status does not compile until it says. */
export const movesOf: Record<OperationStatus, readonly OperationMove[]> = {
  RUNNING: ["pause", "abort"],
  PAUSED: ["resume", "abort"],
  DONE: [],
  ABORTED: [],
};

export const isFinished = (status: OperationStatus): boolean => movesOf[status].length === 0;

/** How much of it is over, in whole percent; all of it only when nothing is left. */
export function percentOf({ total, done, skipped, failed, status }: Operation): number {
  if (total === 0) {
    return isFinished(status) ? 100 : 0;
  }
  return Math.min(100, Math.floor(((done + skipped + failed) * 100) / total));
}

/** Which dead letters an operation concerns. */
export type Scope = { filter: DeadFilter } | { ids: string[] } | { all: true };

/** A filter that says nothing is all of them. */
export const scopeOf = (filter: DeadFilter): Scope => (Object.keys(filter).length === 0 ? { all: true } : { filter });

export const operationKeys = {
  all: ["operations"] as const,
  list: (status: string | undefined) => [...operationKeys.all, "list", status ?? null] as const,
  one: (id: string) => [...operationKeys.all, "one", id] as const,
  count: (action: BulkAction, scope: Scope) => [...operationKeys.all, "count", action, scope] as const,
};

/** How many it would concern; nothing is changed. */
export const countConcerned = async (action: BulkAction, scope: Scope): Promise<number> =>
  (await post<{ count: number }>("/api/operations", { action, ...scope, dryRun: true })).count;

export const startOperation = async (action: BulkAction, scope: Scope, reason: string): Promise<Operation> =>
  toOperation(await post<OperationWire>("/api/operations", { action, ...scope, dryRun: false, reason }));

export const listOperations = async (status: string | undefined, after: string | null, signal?: AbortSignal): Promise<Page<Operation>> =>
  mapPage(await get<Page<OperationWire>>(withQuery("/api/operations", { status, limit: pageSize, after }), signal), toOperation);

export const readOperation = async (id: string, signal?: AbortSignal): Promise<Operation> =>
  toOperation(await get<OperationWire>(path`/api/operations/${id}`, signal));

export const moveOperation = (id: string, move: OperationMove): Promise<unknown> => post(path`/api/operations/${id}/${move}`);

/** Discards all that waits in a queue; `confirm` repeats its name. */
export const purgeQueue = async (queue: string, confirm: string): Promise<Operation> =>
  toOperation(await post<OperationWire>(path`/api/queues/${queue}/purge`, { confirm }));
