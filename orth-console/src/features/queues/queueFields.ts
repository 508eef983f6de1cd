import type { Queue, QueueDraft } from "../../api/queues";
import { retryDraft, type RetryFields, retryFieldNames, retryFieldsOf } from "../../ui/retryFields";

/** The form of a queue's settings, under the server's names. */
export type QueueFields = RetryFields & {
  groupId: string | null;
  rateLimit: number | null;
  concurrencyLimit: number | null;
};

export const queueFieldNames = [
  "groupId",
  ...retryFieldNames,
  "rateLimit",
  "concurrencyLimit",
] as const satisfies readonly (keyof QueueFields)[];

export const queueFieldsOf = (queue: Queue): QueueFields => ({
  groupId: queue.groupId,
  ...retryFieldsOf(queue),
  rateLimit: queue.rateLimit,
  concurrencyLimit: queue.concurrencyLimit,
});

/** A field that was emptied is no limit, or no owner. */
export const queueDraft = (fields: QueueFields, version: number): QueueDraft => ({
  groupId: fields.groupId ?? null,
  ...retryDraft(fields),
  rateLimit: fields.rateLimit ?? null,
  concurrencyLimit: fields.concurrencyLimit ?? null,
  version,
});
