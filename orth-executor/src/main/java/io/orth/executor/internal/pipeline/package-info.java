/**
 * The executor's side of pipelines. A message of the stage's queue carries the task; claiming the message claims the task. The
 * queue's lane processes it like any other message. The task's outcome is sent with the message's result.
 *
 * <pre>
 *   Queues ──message, task──► lane ──► StageRun ──► handler, with its LiveTask ──content, step──► sender ──► admin
 *     ▲                                    │
 *     └────────── result, outcome ─────────┘
 * </pre>
 *
 * A handler waits for the responses to its content and steps. Each of the two kinds has its own {@code TaskRecordSender}. A
 * sender has one request in flight; records that arrive meanwhile share the next one. Every request is safe to repeat. If this
 * process dies, an admin detects it and requeues its tasks with their messages.
 */
package io.orth.executor.internal.pipeline;
