import type { RetryPolicy } from "../api/retry";
import { parseDuration, toIsoDuration } from "../lib/duration";

/** The part of a form about retries, under the server's names; delays are in seconds. */
export type RetryFields = {
  maxAttempts: number;
  "backoff.initialDelay": number;
  "backoff.multiplier": number;
  "backoff.maxDelay": number;
  "backoff.jitter": number;
};

export const retryFieldNames = [
  "maxAttempts",
  "backoff.initialDelay",
  "backoff.multiplier",
  "backoff.maxDelay",
  "backoff.jitter",
] as const satisfies readonly (keyof RetryFields)[];

export const retryFieldsOf = ({ maxAttempts, backoff }: RetryPolicy): RetryFields => ({
  maxAttempts,
  "backoff.initialDelay": parseDuration(backoff.initialDelay) ?? 0,
  "backoff.multiplier": backoff.multiplier,
  "backoff.maxDelay": parseDuration(backoff.maxDelay) ?? 0,
  "backoff.jitter": backoff.jitter,
});

/** What was emptied is sent as the least it may be. */
export const retryDraft = (fields: RetryFields): RetryPolicy => ({
  maxAttempts: fields.maxAttempts ?? 1,
  backoff: {
    initialDelay: toIsoDuration(fields["backoff.initialDelay"] ?? 0, "seconds"),
    multiplier: fields["backoff.multiplier"] ?? 1,
    maxDelay: toIsoDuration(fields["backoff.maxDelay"] ?? 0, "seconds"),
    jitter: fields["backoff.jitter"] ?? 0,
  },
});
