/**
 * Pipelines from the executor's side. A task comes with a message of its stage's queue, whose claim has claimed it, and is worked on in
 * the queue's lane like any other message. What the attempt left goes with the message's result.
 *
 * <pre>
 *   Queues ──message, task──► lane ──► StageRun ──► handler, with its LiveTask ──content, step──► sender ──► admin
 *     ▲                                    │
 *     └────────── result, outcome ─────────┘
 * </pre>
 *
 * A handler waits for the response to its content and steps, so each kind has a {@code TaskRecordSender}. A sender has one request under
 * way; records that arrive meanwhile share the next one. Every request may be repeated. Should this process die, an admin finds out and its tasks go back with their messages.
 */
package io.orth.executor.internal.pipeline;
