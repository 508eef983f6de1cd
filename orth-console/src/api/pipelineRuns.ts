import { get, path, post, request, withQuery } from "./http";
import { type Document, type Reason, toJsonText, toReason } from "./jsonText";
import { metaQuery } from "./metaFilter";
import { mapPage, type Page, pageSize, toDate } from "./page";

export const pipelineRunStatuses = ["PENDING", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"] as const;
export type PipelineRunStatus = (typeof pipelineRunStatuses)[number];

/** Why a run is in its status. */
export const pipelineRunCauses = ["SUBMITTED", "BEGUN", "COMPLETED", "FAILED", "CANCELLED", "RETRIED"] as const;
export type PipelineRunCause = (typeof pipelineRunCauses)[number];

export const stageStatuses = ["WAITING", "RUNNING", "OVER"] as const;
export type StageStatus = (typeof stageStatuses)[number];

/** How far one stage of a run is, as the API sends it. */
type StageProgressWire = {
  name: string;
  status: StageStatus;
  paused: boolean;
  /** Null until all of its tasks are made. */
  expected: number | null;
  /** How many of them are made so far. */
  created: number;
  completed: number;
  failed: number;
  cancelled: number;
  /** Null as long as `expected` is. */
  open: number | null;
};

/** `open` counts the tasks that are known so far. */
export type StageProgress = Omit<StageProgressWire, "open"> & { open: number };

const openOf = ({ open, created, completed, failed, cancelled }: StageProgressWire): number =>
  open ?? Math.max(0, created - completed - failed - cancelled);

/** As the API sends it: ids are strings, times are ISO text. */
export type PipelineRunWire = {
  id: string;
  pipeline: string;
  version: number;
  status: PipelineRunStatus;
  createdBy: string | null;
  traceId: string | null;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  updatedAt: string;
  failure: Document;
  /** Finished tasks in percent of all, as far as these are known. */
  progress: number;
  finishedTasks: number;
  /** Those that are known so far. */
  totalTasks: number;
  /** Whether more tasks may be made. */
  fanningOut: boolean;
  /** How many tasks it was thought to have; null where nobody knew. */
  estimate: number | null;
  stages: StageProgressWire[];
  /** These are null in lists. */
  scope: Document;
  options: Document;
  meta: Document;
  result: Document;
  /** To what the run produced; empty in lists. */
  links: RunLink[];
};

export type RunLink = { name: string; url: string };

type RunTimes = "createdAt" | "startedAt" | "finishedAt" | "updatedAt";

export type PipelineRun = Omit<PipelineRunWire, RunTimes | "failure" | "stages" | "scope" | "options" | "meta" | "result"> & {
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  updatedAt: Date;
  failure: Reason | null;
  stages: StageProgress[];
  scope: string;
  options: string;
  meta: string;
  result: string;
};

export const toPipelineRun = (wire: PipelineRunWire): PipelineRun => ({
  ...wire,
  createdAt: new Date(wire.createdAt),
  startedAt: toDate(wire.startedAt),
  finishedAt: toDate(wire.finishedAt),
  updatedAt: new Date(wire.updatedAt),
  failure: toReason(wire.failure),
  stages: wire.stages.map((stage) => ({ ...stage, open: openOf(stage) })),
  scope: toJsonText(wire.scope),
  options: toJsonText(wire.options),
  meta: toJsonText(wire.meta),
  result: toJsonText(wire.result),
});

const after: Record<PipelineRunStatus, { over: boolean; retry: boolean }> = {
  PENDING: { over: false, retry: false },
  RUNNING: { over: false, retry: true },
  COMPLETED: { over: true, retry: false },
  FAILED: { over: true, retry: true },
  CANCELLED: { over: true, retry: false },
};

export const isRunOver = (status: PipelineRunStatus): boolean => after[status].over;

/** The stages whose failed tasks can be given another chance. */
export const retryable = (run: Pick<PipelineRun, "status" | "stages">): StageProgress[] =>
  after[run.status].retry ? run.stages.filter((stage) => stage.failed > 0) : [];

/** One that is over may still have tasks that are being called off, and a failed one may be retried by somebody. */
export const isSettled = (run: Pick<PipelineRun, "status" | "stages">): boolean =>
  isRunOver(run.status) && run.status !== "FAILED" && run.stages.every((stage) => stage.open === 0);

/** From its first task to its end, or to now; null before it was begun. */
export const pipelineRunMillis = (run: Pick<PipelineRun, "startedAt" | "finishedAt">, now: Date): number | null =>
  run.startedAt === null ? null : Math.max(0, (run.finishedAt ?? now).getTime() - run.startedAt.getTime());

export type PipelineRunFilter = { pipeline?: string; status?: PipelineRunStatus; createdBy?: string; from?: string; to?: string; meta?: string };

export const pipelineRunKeys = {
  all: ["pipelineRuns"] as const,
  list: (filter: PipelineRunFilter) => [...pipelineRunKeys.all, "list", filter] as const,
  latest: ["pipelineRuns", "latest"] as const,
  one: (id: string) => [...pipelineRunKeys.all, "one", id] as const,
};

export const listPipelineRuns = async (
  { meta, ...filter }: PipelineRunFilter,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<Page<PipelineRun>> => {
  const url = withQuery("/api/pipeline-runs", { ...filter, ...metaQuery(meta), limit: pageSize, after: cursor });
  return mapPage(await get<Page<PipelineRunWire>>(url, signal), toPipelineRun);
};

export const readPipelineRun = async (id: string, signal?: AbortSignal): Promise<PipelineRun> =>
  toPipelineRun(await get<PipelineRunWire>(path`/api/pipeline-runs/${id}`, signal));

export type Target = { targetType: string; targetId: string };

/** What every task is told; the targets in `scope` are the tasks of the first stage. */
export type RunDraft = { scope: Record<string, Document>; options: Record<string, Document> };

/** How a number of tasks is known. */
export const estimateBases = ["LAST_RUN", "TARGETS", "NONE"] as const;
export type EstimateBasis = (typeof estimateBases)[number];

/** What a submission became, or would become. */
export type Submitted = {
  /** Null where it was only tried. */
  rootJobId: string | null;
  version: number;
  estimate: { tasks: number | null; basis: EstimateBasis };
  /** Whether the same had been asked for before. */
  duplicate: boolean;
};

export const tryPipelineRun = (pipeline: string, draft: RunDraft): Promise<Submitted> =>
  post(path`/api/pipelines/${pipeline}/runs`, { ...draft, dryRun: true });

/** The same key again is the same run, however often an answer got lost. */
export const startPipelineRun = (pipeline: string, draft: RunDraft, key: string): Promise<Submitted> =>
  request("POST", path`/api/pipelines/${pipeline}/runs`, { body: draft, headers: { "Idempotency-Key": key } });

export const cancelPipelineRun = (id: string, reason: string): Promise<unknown> =>
  post(path`/api/pipeline-runs/${id}/cancel`, reason === "" ? {} : { reason });

/** Which failed tasks get another chance; all where none of both is given. */
export type RetryOf = { stage?: string; taskIds?: string[] };

export const retryPipelineRun = async (id: string, of: RetryOf): Promise<PipelineRun> =>
  toPipelineRun(await post<PipelineRunWire>(path`/api/pipeline-runs/${id}/retry`, of));

export type ReconcileAction = { kind: string; stage: string | null; count: number; detail?: Document };

export type Reconciled = { rootJobId: string; dryRun: boolean; status: PipelineRunStatus; actions: ReconcileAction[] };

export const reconcile = (rootJobId: string, dryRun: boolean): Promise<Reconciled> =>
  post("/api/pipelines/reconcile", { rootJobId, dryRun });

/** Where all that is known about a run is, as one file. */
export const postMortemUrl = (id: string): string => path`/api/pipeline-runs/${id}/post-mortem`;
