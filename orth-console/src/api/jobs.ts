import type { AfterRun, ChildDraft } from "./afterRun";
import { type Declaration, type DeclarationWire, toDeclaration } from "./declarations";
import type { BlockScope, BlockStrategy, Execution, GlueType } from "./execution";
import { get, path, post, put, remove, withQuery } from "./http";
import { mapPage, type Page, pageSize, toDate } from "./page";
import type { RetryPolicy } from "./retry";
import type { Routing } from "./routing";
import type { RunStatus } from "./runs";
import type { MisfirePolicy, Schedule } from "./schedules";

type LastRunWire = { id: string; status: RunStatus; triggerCode: number; handleCode: number; at: string };

export type JobWire = Execution &
  AfterRun &
  Routing & {
  id: string;
  name: string;
  groupId: string;
  groupName: string;
  /** Null where its source runs. */
  handler: string | null;
  param: string | null;
  schedule: Schedule;
  misfire: MisfirePolicy;
  /** Null where no code declares it. */
  declaration: DeclarationWire | null;
  enabled: boolean;
  stopReason: string | null;
  nextFireAt: string | null;
  lastRun: LastRunWire | null;
  createdAt: string;
  updatedAt: string;
  version: number;
};

export type LastRun = Omit<LastRunWire, "at"> & { at: Date };

export type Job = Omit<JobWire, "param" | "nextFireAt" | "lastRun" | "createdAt" | "updatedAt" | "declaration"> & {
  param: string;
  nextFireAt: Date | null;
  lastRun: LastRun | null;
  createdAt: Date;
  updatedAt: Date;
  declaration: Declaration | null;
};

/** What the form edits. `version` is the one that was read; absent for a new job. */
export type JobDraft = Pick<
  Job,
  "name" | "groupId" | "handler" | "param" | "schedule" | "misfire" | "routing" | "addresses" | "enabled"
> & RetryPolicy & {
  blockStrategy: BlockStrategy;
  blockScope: BlockScope;
  concurrency: number;
  timeoutSeconds: number;
  glue: { type: GlueType; source: string; note: string } | null;
  children: ChildDraft[];
  version?: number;
};

export type JobFilter = { q?: string; groupId?: string; enabled?: "true" | "false" };

export const toJob = (wire: JobWire): Job => ({
  ...wire,
  param: wire.param ?? "",
  nextFireAt: toDate(wire.nextFireAt),
  lastRun: wire.lastRun === null ? null : { ...wire.lastRun, at: new Date(wire.lastRun.at) },
  createdAt: new Date(wire.createdAt),
  updatedAt: new Date(wire.updatedAt),
  declaration: wire.declaration === null ? null : toDeclaration(wire.declaration),
});

export const jobKeys = {
  all: ["jobs"] as const,
  list: (filter: JobFilter) => [...jobKeys.all, "list", filter] as const,
  one: (id: string) => [...jobKeys.all, "one", id] as const,
};

export const listJobs = async (filter: JobFilter, after: string | null, signal?: AbortSignal): Promise<Page<Job>> =>
  mapPage(await get<Page<JobWire>>(withQuery("/api/jobs", { ...filter, limit: pageSize, after }), signal), toJob);

export const readJob = async (id: string, signal?: AbortSignal): Promise<Job> =>
  toJob(await get<JobWire>(path`/api/jobs/${id}`, signal));

export const createJob = async (draft: JobDraft): Promise<Job> => toJob(await post<JobWire>("/api/jobs", draft));

export const updateJob = async (id: string, draft: JobDraft): Promise<Job> =>
  toJob(await put<JobWire>(path`/api/jobs/${id}`, draft));

export const deleteJob = (id: string): Promise<void> => remove(path`/api/jobs/${id}`);

export const setEnabled = async (id: string, enabled: boolean): Promise<Job> =>
  toJob(await post<JobWire>(path`/api/jobs/${id}/${enabled ? "resume" : "pause"}`));

export const triggerJob = async (id: string, param: string | null): Promise<string> =>
  (await post<{ runId: string }>(path`/api/jobs/${id}/trigger`, param === null ? {} : { param })).runId;

/** Makes the job what the code says. */
export const takeDeclaration = async (id: string): Promise<Job> =>
  toJob(await post<JobWire>(path`/api/jobs/${id}/declaration/apply`));
