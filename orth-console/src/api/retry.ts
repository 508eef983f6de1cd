/** How the delay before a further attempt grows; durations are ISO 8601, the jitter is a share of 0 to 1. */
export type Backoff = { initialDelay: string; multiplier: number; maxDelay: string; jitter: number };

/** How often jobs, messages and tasks are attempted, the first time included, and how long each further attempt waits. */
export type RetryPolicy = { maxAttempts: number; backoff: Backoff };
