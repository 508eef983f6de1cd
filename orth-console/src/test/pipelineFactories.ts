import type { OutboxEntryWire } from "../api/outbox";
import type { PipelineRunStatus, PipelineRunWire } from "../api/pipelineRuns";
import type { LiveStage, PipelineWire } from "../api/pipelines";
import type { TaskStatus, TaskWire } from "../api/pipelineTasks";

export const stageWire = (name: string, change: Partial<LiveStage> = {}): LiveStage => ({
  name,
  handler: `courses.${name}`,
  queue: `pipeline.courses.${name}`,
  webhook: null,
  maxAttempts: 3,
  backoff: { initialDelay: "PT1S", multiplier: 2, maxDelay: "PT1H", jitter: 0 },
  concurrency: null,
  tolerance: "ALL",
  paused: false,
  ...change,
});

/** A pipeline of two stages, as the API sends it. */
export const pipelineWire = (change: Partial<PipelineWire> = {}): PipelineWire => ({
  name: "courses",
  description: "Courses and their chapters",
  version: 4,
  paused: false,
  stages: [stageWire("plan"), stageWire("write", { concurrency: 20, tolerance: "5%" })],
  updatedBy: "ann",
  updatedAt: "2026-11-03T13:00:00Z",
  ...change,
});

const over = (status: PipelineRunStatus): boolean => status !== "PENDING" && status !== "RUNNING";

/** A run whose first stage is done and whose second one has failed tasks, as the API sends it. */
export const pipelineRunWire = (status: PipelineRunStatus, change: Partial<PipelineRunWire> = {}): PipelineRunWire => ({
  id: "9007199254740993",
  pipeline: "courses",
  version: 4,
  status,
  createdBy: "ann",
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  createdAt: "2026-11-03T13:00:00Z",
  startedAt: status === "PENDING" ? null : "2026-11-03T13:00:01Z",
  finishedAt: over(status) ? "2026-11-03T13:01:31Z" : null,
  updatedAt: "2026-11-03T13:01:31Z",
  failure: status === "FAILED" ? { code: "TOO_MANY_FAILURES", stage: "write", failed: 3, of: 40, tolerance: "5%" } : null,
  progress: status === "COMPLETED" ? 100 : 60,
  finishedTasks: 26,
  totalTasks: 43,
  fanningOut: false,
  estimate: 43,
  stages: [
    { name: "plan", status: "OVER", paused: false, expected: 3, created: 3, completed: 3, failed: 0, cancelled: 0, open: 0 },
    { name: "write", status: over(status) ? "OVER" : "RUNNING", paused: false, expected: 40, created: 40, completed: 20, failed: 3, cancelled: over(status) ? 17 : 0, open: over(status) ? 0 : 17 },
  ],
  scope: { language: "en" },
  options: { model: "offline" },
  meta: {},
  result: null,
  links: [],
  ...change,
});

/** A task that an executor had, as the API sends it. */
export const taskWire = (status: TaskStatus, change: Partial<TaskWire> = {}): TaskWire => ({
  id: "71",
  rootJobId: "9007199254740993",
  parentJobId: "70",
  stage: "write",
  targetType: "chapter",
  targetId: "algebra/1",
  status,
  attempts: 3,
  maxAttempts: 3,
  lockedAt: "2026-11-03T13:00:30Z",
  executorId: "3",
  logId: "511",
  messageId: "88",
  queue: "pipeline.courses.write",
  createdBy: "ann",
  meta: { language: "en" },
  params: { title: "Sums" },
  result: null,
  error: status === "FAILED" ? { code: "HANDLER_FAILED", message: "the endpoint said no", detail: "at Chat.ask" } : null,
  startedAt: "2026-11-03T13:00:30Z",
  finishedAt: status === "RUNNING" ? null : "2026-11-03T13:00:32.500Z",
  updatedAt: "2026-11-03T13:00:32.500Z",
  createdAt: "2026-11-03T13:00:00Z",
  ...change,
});

/** A promise that was given up, as the API sends it. */
export const outboxWire = (change: Partial<OutboxEntryWire> = {}): OutboxEntryWire => ({
  id: "5",
  kind: "WEBHOOK",
  destination: "warehouse",
  jobId: "71",
  rootJobId: "9007199254740993",
  attempts: 20,
  lastError: "answered 503",
  createdAt: "2026-11-03T13:00:00Z",
  nextAttemptAt: null,
  parkedAt: "2026-11-03T14:00:00Z",
  ...change,
});
