import type { DeadGroupWire, DeadKind, DeadLetterWire } from "../api/deadLetters";
import type { MessageStatus, MessageWire } from "../api/messages";
import type { OperationStatus, OperationWire } from "../api/operations";
import type { AlertRule, AlertWire } from "../api/queueAlerts";
import type { QueueWire } from "../api/queues";

/** A queue that somebody works on, as the API sends it. */
export const queueWire = (change: Partial<QueueWire> = {}): QueueWire => ({
  name: "emails",
  groupId: "1",
  groupName: "samples",
  paused: false,
  maxAttempts: 3,
  backoff: { initialDelay: "PT1S", multiplier: 2, maxDelay: "PT1H", jitter: 0 },
  rateLimit: null,
  concurrencyLimit: null,
  version: 4,
  createdAt: "2026-11-03T13:00:00Z",
  waiting: 1200,
  running: 4,
  dead: 2,
  workers: 1,
  nextDue: "2026-11-03T13:05:00Z",
  oldestSeconds: 90,
  lately: { seconds: 300, pushed: 10, claimed: 9, done: 7, failed: 2, dead: 1, waitMillis: 42, runMillis: null },
  ...change,
});

const death = { no: "1", cause: "EXHAUSTED", error: "the mail server said no", stack: "\tat Mail.send", fingerprint: "5915ce9854f5c036" };
const noDeath = { no: null, cause: null, error: null, stack: null, fingerprint: null };

/** A message as the API sends it, with what belongs to its status. */
export const messageWire = (status: MessageStatus, change: Partial<MessageWire> = {}): MessageWire => ({
  id: "9007199254740993",
  queue: "emails",
  status,
  lane: "DEFAULT",
  blocked: false,
  attempt: status === "WAITING" ? 0 : 1,
  maxAttempts: 3,
  pushedAt: "2026-11-03T13:05:09.120Z",
  dueAt: status === "DEAD" ? null : "2026-11-03T13:05:09.120Z",
  statusAt: "2026-11-03T13:05:10Z",
  claimedAt: status === "WAITING" ? null : "2026-11-03T13:05:09.500Z",
  executorId: status === "WAITING" ? null : "3",
  logId: status === "WAITING" ? null : "41",
  uniqueKey: null,
  groupKey: null,
  traceId: null,
  metadata: {},
  failures: [],
  ...(status === "DEAD" ? death : noDeath),
  result: status === "DONE" ? "sent" : null,
  payload: '{"to":"ann"}',
  ...change,
});

export const alertRule = (change: Partial<AlertRule> = {}): AlertRule => ({
  id: "1",
  name: "Backlog",
  kind: "BACKLOG",
  queue: null,
  waiting: 1000,
  oldestSeconds: null,
  ratio: null,
  minEnded: null,
  overSeconds: null,
  forSeconds: 0,
  coolDownSeconds: 3600,
  enabled: true,
  version: 3,
  ...change,
});

export const alertWire = (change: Partial<AlertWire> = {}): AlertWire => ({
  id: "7",
  ruleId: "1",
  ruleName: "Backlog",
  kind: "BACKLOG",
  queue: "emails",
  text: "1200 messages wait, the oldest due for 90 s",
  firedAt: "2026-11-03T13:00:00Z",
  told: 2,
  toldAt: "2026-11-03T14:00:00Z",
  endedAt: null,
  endedBy: null,
  ...change,
});

const places: Record<DeadKind, Pick<DeadLetterWire, "queue" | "jobId" | "jobName" | "handler">> = {
  MESSAGE: { queue: "emails", jobId: null, jobName: null, handler: null },
  RUN: { queue: null, jobId: "7", jobName: "Countdown", handler: "countdown" },
};

/** A dead letter as the API sends it, with what belongs to its kind. */
export const deadLetterWire = (kind: DeadKind, change: Partial<DeadLetterWire> = {}): DeadLetterWire => ({
  no: "12",
  kind,
  id: "9007199254740993",
  ...places[kind],
  cause: kind === "MESSAGE" ? "EXHAUSTED" : "TIMEOUT",
  error: "the mail server said no",
  fingerprint: "5915ce9854f5c036",
  attempt: 3,
  maxAttempts: 3,
  diedAt: "2026-11-03T13:05:10Z",
  pushedAt: "2026-11-03T13:05:09.120Z",
  traceId: null,
  payload: '{"to":"ann"}',
  ...change,
});

/** What failed alike in a queue, as the API sends it. */
export const deadGroupWire = (change: Partial<DeadGroupWire> = {}): DeadGroupWire => ({
  fingerprint: "5915ce9854f5c036",
  kind: "MESSAGE",
  queue: "emails",
  jobId: null,
  jobName: null,
  error: "the mail server said no",
  count: 1200,
  firstSeen: "2026-11-01T08:00:00Z",
  lastSeen: "2026-11-03T13:05:10Z",
  sampleNo: "12",
  sampleId: "9007199254740993",
  ...change,
});

/** An operation on the dead letters of a queue, as the API sends it. */
export const operationWire = (status: OperationStatus, change: Partial<OperationWire> = {}): OperationWire => ({
  id: "5",
  action: "RETRY",
  status,
  filter: { queue: "emails" },
  ids: null,
  all: false,
  queue: null,
  reason: "the mail server is back",
  total: 1000,
  done: status === "DONE" ? 990 : 400,
  skipped: 7,
  failed: 3,
  lastError: null,
  heldBy: null,
  createdBy: "ann",
  createdAt: "2026-11-03T14:00:00Z",
  updatedAt: "2026-11-03T14:00:05Z",
  finishedAt: status === "DONE" || status === "ABORTED" ? "2026-11-03T14:00:05Z" : null,
  ...change,
});
