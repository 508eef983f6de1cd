import { get, path, withQuery } from "./http";
import { type Document, type Reason, toJsonText, toReason } from "./jsonText";
import { metaQuery } from "./metaFilter";
import { mapPage, type Page, pageSize, toDate } from "./page";
import { pipelineRunKeys } from "./pipelineRuns";

export const taskStatuses = ["PENDING", "CLAIMED", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** Why a task is in its status. */
export const taskCauses = [
  "CREATED",
  "CLAIMED",
  "BEGUN",
  "COMPLETED",
  "FAILED",
  "LOST",
  "EXHAUSTED",
  "FAILED_FOR_GOOD",
  "CANCELLED",
  "RETRIED",
] as const;
export type TaskCause = (typeof taskCauses)[number];

/** As the API sends it: ids are strings, times are ISO text. */
export type TaskWire = {
  id: string;
  rootJobId: string;
  /** The task that proposed it; null in the first stage. */
  parentJobId: string | null;
  stage: string;
  targetType: string;
  targetId: string;
  status: TaskStatus;
  attempts: number;
  maxAttempts: number;
  lockedAt: string | null;
  executorId: string | null;
  logId: string | null;
  /** Absent where no message carries it. */
  messageId?: string | null;
  queue: string | null;
  createdBy: string | null;
  meta: Record<string, string> | null;
  params: Document;
  result: Document;
  error: Document;
  startedAt: string | null;
  finishedAt: string | null;
  updatedAt: string;
  createdAt: string;
};

type TaskTimes = "lockedAt" | "startedAt" | "finishedAt" | "updatedAt" | "createdAt";

export type Task = Omit<TaskWire, TaskTimes | "messageId" | "meta" | "params" | "result" | "error"> & {
  lockedAt: Date | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  updatedAt: Date;
  createdAt: Date;
  messageId: string | null;
  meta: Record<string, string>;
  params: string;
  result: string;
  error: Reason | null;
};

export const toTask = (wire: TaskWire): Task => ({
  ...wire,
  lockedAt: toDate(wire.lockedAt),
  startedAt: toDate(wire.startedAt),
  finishedAt: toDate(wire.finishedAt),
  updatedAt: new Date(wire.updatedAt),
  createdAt: new Date(wire.createdAt),
  messageId: wire.messageId ?? null,
  meta: wire.meta ?? {},
  params: toJsonText(wire.params),
  result: toJsonText(wire.result),
  error: toReason(wire.error),
});

const over: Record<TaskStatus, boolean> = {
  PENDING: false,
  CLAIMED: false,
  RUNNING: false,
  COMPLETED: true,
  FAILED: true,
  CANCELLED: true,
};

export const isTaskOver = (status: TaskStatus): boolean => over[status];

/** What the last attempt took, or takes so far; null where it is unknown. */
export const taskMillis = (task: Pick<Task, "startedAt" | "finishedAt" | "status">, now: Date): number | null => {
  const end = task.finishedAt ?? (task.status === "RUNNING" ? now : null);
  return task.startedAt === null || end === null ? null : Math.max(0, end.getTime() - task.startedAt.getTime());
};

export const logPhases = ["start", "step", "summary", "error"] as const;
export type LogPhase = (typeof logPhases)[number];

type LogLineWire = { no: string; taskId: string | null; phase: LogPhase; payload: Document; createdAt: string };

/** One line of the execution log; `taskId` is null where it is about the run. */
export type ExecutionLine = Omit<LogLineWire, "payload" | "createdAt"> & { payload: string; createdAt: Date };

type ContentWire = { no: string; taskId: string; contentRef: string; status: string; size: number | null; createdAt: string };

/** Something that a task has stored elsewhere. */
export type Content = Omit<ContentWire, "createdAt"> & { createdAt: Date };

export type TaskFilter = { stage?: string; status?: TaskStatus; targetType?: string; targetId?: string; meta?: string };
export type LineFilter = { taskId?: string; phase?: LogPhase };
export type ContentFilter = { taskId?: string; status?: string };

export const taskKeys = {
  list: (runId: string, filter: TaskFilter) => [...pipelineRunKeys.one(runId), "tasks", filter] as const,
  one: (id: string) => [...pipelineRunKeys.all, "task", id] as const,
  lines: (runId: string, filter: LineFilter) => [...pipelineRunKeys.one(runId), "log", filter] as const,
  content: (runId: string, filter: ContentFilter) => [...pipelineRunKeys.one(runId), "content", filter] as const,
};

async function list<W, T>(url: string, filter: object, cursor: string | null, map: (wire: W) => T, signal?: AbortSignal): Promise<Page<T>> {
  return mapPage(await get<Page<W>>(withQuery(url, { ...filter, limit: pageSize, after: cursor }), signal), map);
}

export const listTasks = (runId: string, { meta, ...filter }: TaskFilter, cursor: string | null, signal?: AbortSignal): Promise<Page<Task>> =>
  list(path`/api/pipeline-runs/${runId}/tasks`, { ...filter, ...metaQuery(meta) }, cursor, toTask, signal);

export const readTask = async (id: string, signal?: AbortSignal): Promise<Task> =>
  toTask(await get<TaskWire>(path`/api/pipeline-tasks/${id}`, signal));

export const toExecutionLine = (wire: LogLineWire): ExecutionLine => ({
  ...wire,
  payload: toJsonText(wire.payload),
  createdAt: new Date(wire.createdAt),
});

export const listExecutionLog = (runId: string, filter: LineFilter, cursor: string | null, signal?: AbortSignal): Promise<Page<ExecutionLine>> =>
  list(path`/api/pipeline-runs/${runId}/execution-log`, filter, cursor, toExecutionLine, signal);

const toContent = (wire: ContentWire): Content => ({ ...wire, createdAt: new Date(wire.createdAt) });

export const listContent = (runId: string, filter: ContentFilter, cursor: string | null, signal?: AbortSignal): Promise<Page<Content>> =>
  list(path`/api/pipeline-runs/${runId}/content`, filter, cursor, toContent, signal);
