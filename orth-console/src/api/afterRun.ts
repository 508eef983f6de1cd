import { get, path } from "./http";
import type { RunStatus } from "./runs";
import { toDate } from "./page";
import type { RetryPolicy } from "./retry";

/** Where a child's parameter comes from. */
export const passes = ["NONE", "FIXED", "RESULT"] as const;
export type Pass = (typeof passes)[number];

export type JobLink = { jobId: string; name: string | null };
export type ChildDraft = { jobId: string; pass: Pass; param: string | null };
/** `name` is null where the job was deleted. */
export type Child = ChildDraft & { name: string | null };

/** What follows a run of a job; `parents` is null in lists. */
export type AfterRun = RetryPolicy & { children: Child[]; parents: JobLink[] | null };

export const nothingAfter: AfterRun = {
  maxAttempts: 1,
  backoff: { initialDelay: "PT10S", multiplier: 2, maxDelay: "PT1H", jitter: 0 },
  children: [],
  parents: [],
};

type RunLinkWire = {
  id: string;
  jobId: string;
  jobName: string;
  status: RunStatus;
  triggerCode: number;
  handleCode: number;
  cause: string;
  attempt: number;
  createdAt: string;
  notBefore: string | null;
  finishedAt: string | null;
};

/** Another run, in short. */
export type RunLink = Omit<RunLinkWire, "createdAt" | "notBefore" | "finishedAt"> & {
  createdAt: Date;
  notBefore: Date | null;
  finishedAt: Date | null;
};

type RelatedWire = { attempts: RunLinkWire[]; parent: RunLinkWire | null; children: RunLinkWire[] };
export type Related = { attempts: RunLink[]; parent: RunLink | null; children: RunLink[] };

const toLink = (wire: RunLinkWire): RunLink => ({
  ...wire,
  createdAt: new Date(wire.createdAt),
  notBefore: toDate(wire.notBefore),
  finishedAt: toDate(wire.finishedAt),
});

export const toRelated = (wire: RelatedWire): Related => ({
  attempts: wire.attempts.map(toLink),
  parent: wire.parent === null ? null : toLink(wire.parent),
  children: wire.children.map(toLink),
});

export const readRelated = async (id: string, signal?: AbortSignal): Promise<Related> =>
  toRelated(await get<RelatedWire>(path`/api/runs/${id}/related`, signal));
