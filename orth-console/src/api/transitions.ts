import { get, path } from "./http";
import { type Page, toDate } from "./page";

export const entityKinds = ["RUN", "EXECUTOR", "JOB", "MESSAGE", "PIPELINE_RUN", "PIPELINE_TASK", "OPERATION", "ALARM"] as const;
export type EntityKind = (typeof entityKinds)[number];

/** Why an executor, a job, a bulk operation or an alarm is in its state, beside the causes that runs know. */
export const otherCauses = [
  "PAUSED",
  "RESUMED",
  "EDITED",
  "ENDED",
  "DELETED",
  "REGISTERED",
  "RETURNED",
  "LEFT",
  "SILENT",
  "REPLACED",
  "ABORTED",
  "COMPLETED",
  "SENT",
  "EXHAUSTED",
] as const;
export type OtherCause = (typeof otherCauses)[number];

export const jobStates = ["ENABLED", "PAUSED", "DELETED"] as const;
export type JobState = (typeof jobStates)[number];

/** What an entity is part of; what is not known is null. */
type WorkWire = {
  jobId: string | null;
  jobName: string | null;
  handler: string | null;
  groupId: string | null;
  scheduleTime: string | null;
  rootId: string | null;
  queue: string | null;
  /** Of a pipeline's run, of a task, or of the task that a message carries. */
  pipeline: string | null;
  stage: string | null;
  targetType: string | null;
  targetId: string | null;
  taskId: string | null;
  /** The attempt of a message or task that the transition belongs to. */
  attempt: number | null;
};

/** The thread of an admin that made the change. */
export type Writer = { node: string; host: string; pid: number; version: string; thread: string };

/** One boot of one executor. What it did not say is empty, a pid 0. */
export type ConcernedExecutor = { id: string; instance: string; host: string; pid: number; address: string };

export type TransitionWire = {
  entity: EntityKind;
  entityId: string;
  sequence: number;
  from: string | null;
  to: string;
  at: string;
  millisInFrom: number | null;
  cause: string;
  work: WorkWire;
  writer: Writer | null;
  executor: ConcernedExecutor | null;
  traceId: string | null;
};

/** One change of state of a run, an executor, a job, a message, a run or task of a pipeline, a bulk operation or an alarm. */
export type Transition = Omit<TransitionWire, "at" | "work"> & {
  at: Date;
  work: Omit<WorkWire, "scheduleTime"> & { scheduleTime: Date | null };
};

export const toTransition = (wire: TransitionWire): Transition => ({
  ...wire,
  at: new Date(wire.at),
  work: { ...wire.work, scheduleTime: toDate(wire.work.scheduleTime) },
});

export const listTransitions = async (runId: string, signal?: AbortSignal): Promise<Transition[]> =>
  (await get<Page<TransitionWire>>(path`/api/runs/${runId}/transitions`, signal)).items.map(toTransition);

export const listMessageTransitions = async (queue: string, id: string, signal?: AbortSignal): Promise<Transition[]> =>
  (await get<Page<TransitionWire>>(path`/api/queues/${queue}/messages/${id}/transitions`, signal)).items.map(toTransition);

export const listPipelineRunTransitions = async (runId: string, signal?: AbortSignal): Promise<Transition[]> =>
  (await get<Page<TransitionWire>>(path`/api/pipeline-runs/${runId}/transitions`, signal)).items.map(toTransition);

/** How long something was in a state, all stays together; `open` while it still is. */
export type Stay = { state: string; millis: number; open: boolean };

/** The states of one timeline in the order they were entered. One that nothing follows takes no time. */
export function stays(timeline: Transition[], isEnd: (state: string) => boolean, now: Date): Stay[] {
  const found = new Map<string, Stay>();
  const add = (state: string, millis: number, open: boolean): void => {
    found.set(state, { state, millis: (found.get(state)?.millis ?? 0) + Math.max(0, millis), open });
  };
  for (const { from, millisInFrom } of timeline) {
    if (from !== null && millisInFrom !== null) {
      add(from, millisInFrom, false);
    }
  }
  const last = timeline.at(-1);
  if (last !== undefined && !isEnd(last.to)) {
    add(last.to, now.getTime() - last.at.getTime(), true);
  }
  return [...found.values()];
}
