/**
 * Pipelines from the executor's side. A task comes with a message of its stage's queue, whose claim has claimed it, and is worked on in
 * the queue's lane like any other message. What the attempt left goes with the message's result.
 *
 * <pre>
 *   Queues ──message, task──► lane ──► StageRun ──► handler, with its LiveTask ──content, step──► courier ──► admin
 *     ▲                                    │
 *     └────────── result, outcome ─────────┘
 * </pre>
 *
 * A handler waits for the answer to what it reports, so content and steps have a way of their own. What is about to go to the admins at
 * the same moment goes in one request: each courier has one under way, and what comes meanwhile goes with the next. Every request may be
 * repeated. Should this process die, an admin finds out and its tasks go back with their messages.
 */
package io.orth.executor.internal.pipeline;
