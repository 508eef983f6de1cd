import type { Queue, QueueDraft } from "../../api/queues";
import { parseDuration, toIsoDuration } from "../../lib/duration";

/** The form of a queue's settings, under the server's names; waits are in seconds. */
export type QueueFields = {
  groupId: string | null;
  maxAttempts: number;
  "retry.first": number;
  "retry.factor": number;
  "retry.most": number;
  rateLimit: number | null;
  concurrencyLimit: number | null;
};

export const queueFieldNames = [
  "groupId",
  "maxAttempts",
  "retry.first",
  "retry.factor",
  "retry.most",
  "rateLimit",
  "concurrencyLimit",
] as const satisfies readonly (keyof QueueFields)[];

export const queueFieldsOf = (queue: Queue): QueueFields => ({
  groupId: queue.groupId,
  maxAttempts: queue.maxAttempts,
  "retry.first": parseDuration(queue.retry.first) ?? 1,
  "retry.factor": queue.retry.factor,
  "retry.most": parseDuration(queue.retry.most) ?? 3600,
  rateLimit: queue.rateLimit,
  concurrencyLimit: queue.concurrencyLimit,
});

/** A field that was emptied is no limit, or no owner. */
export const queueDraft = (fields: QueueFields, version: number): QueueDraft => ({
  groupId: fields.groupId ?? null,
  maxAttempts: fields.maxAttempts,
  retry: {
    first: toIsoDuration(fields["retry.first"], "seconds"),
    factor: fields["retry.factor"],
    most: toIsoDuration(fields["retry.most"], "seconds"),
  },
  rateLimit: fields.rateLimit ?? null,
  concurrencyLimit: fields.concurrencyLimit ?? null,
  version,
});
