import { nothingAfter } from "../api/afterRun";
import type { JobWire } from "../api/jobs";
import type { RunStatus, RunWire } from "../api/runs";
import { noSchedule } from "../api/schedules";
import type { LogLineWire } from "../api/systemLog";
import type { TransitionWire } from "../api/transitions";

const codes: Record<RunStatus, [trigger: number, handle: number]> = {
  INIT: [0, 0],
  PENDING: [200, 0],
  SUCCESS: [200, 200],
  FAILED: [200, 500],
  TIMEOUT: [200, 502],
  TRIGGER_FAILED: [500, 0],
  SKIPPED: [409, 0],
};

/** A run as the API sends it, with the codes that belong to its status. */
export const runWire = (status: RunStatus, change: Partial<RunWire> = {}): RunWire => ({
  id: "9007199254740993",
  jobId: "7",
  jobName: "Countdown",
  groupId: "1",
  groupName: "sample",
  handler: "countdown",
  param: null,
  status,
  triggerCode: codes[status][0],
  handleCode: codes[status][1],
  triggerMsg: "sent",
  handleMsg: null,
  cause: "CALLBACK",
  triggerType: "SCHEDULE",
  scheduleTime: null,
  createdAt: "2026-11-03T13:05:09.120Z",
  triggeredAt: "2026-11-03T13:05:09.150Z",
  finishedAt: null,
  executorAddress: null,
  traceId: null,
  blockStrategy: "SERIAL",
  blockScope: "EXECUTOR",
  concurrency: 1,
  timeoutSeconds: 0,
  glue: null,
  routing: "ROUND",
  shardIndex: 0,
  shardTotal: 1,
  kill: null,
  attempt: 1,
  attempts: null,
  retryOf: null,
  parentRun: null,
  notBefore: null,
  late: null,
  alarmStatus: 0,
  ...change,
});

export const jobWire = (change: Partial<JobWire> = {}): JobWire => ({
  id: "7",
  name: "Countdown",
  groupId: "1",
  groupName: "sample",
  handler: "countdown",
  param: null,
  schedule: noSchedule,
  misfire: "DO_NOTHING",
  blockStrategy: "SERIAL",
  blockScope: "EXECUTOR",
  concurrency: 1,
  timeoutSeconds: 0,
  glue: null,
  ...nothingAfter,
  routing: "ROUND",
  addresses: [],
  declaration: null,
  enabled: true,
  stopReason: null,
  nextFireAt: null,
  lastRun: null,
  createdAt: "2026-11-03T13:05:09.120Z",
  updatedAt: "2026-11-03T13:05:09.120Z",
  version: 3,
  ...change,
});

/** A run that was sent, as the API tells of it. */
export const transitionWire = (change: Partial<TransitionWire> = {}): TransitionWire => ({
  entity: "RUN",
  entityId: "9007199254740993",
  sequence: 2,
  from: "INIT",
  to: "PENDING",
  at: "2026-11-03T13:05:09.150Z",
  millisInFrom: 30,
  cause: "ACCEPTED",
  work: {
    jobId: "7",
    jobName: "Countdown",
    handler: "countdown",
    groupId: "1",
    scheduleTime: null,
    rootId: "9007199254740993",
    queue: null,
    pipeline: null,
    stage: null,
    targetType: null,
    targetId: null,
    taskId: null,
    attempt: null,
  },
  writer: { node: "host:1:abc", host: "host", pid: 1, version: "test", thread: "orth-dispatcher" },
  executor: { id: "3", instance: "i1", host: "host", pid: 7, address: "http://127.0.0.1:9999/" },
  traceId: null,
  ...change,
});

/** A line of the system log as the API sends it. */
export const logLineWire = (change: Partial<LogLineWire> = {}): LogLineWire => ({
  id: "host:1:abc#7",
  at: "2026-11-03T13:05:09.120Z",
  level: "INFO",
  message: "executor at http://10.0.0.5:9999 registered",
  workerId: "instance-1",
  queue: null,
  node: "host:1:abc",
  ...change,
});
