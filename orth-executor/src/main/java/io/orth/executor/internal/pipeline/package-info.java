/**
 * Pipelines from the executor's side. A task comes as a message of its stage's queue and is worked on in the queue's lane like
 * any other; around its handler it is begun and finished.
 *
 * <pre>
 *   lane ──► StageRun ──begin──► courier ──► admin
 *               │ run: the handler, with its LiveTask ──content, step──► courier ──► admin
 *               ▼ result (also of a run that was cut short)
 *            Stages ──finish──► courier ──► admin
 *               └── answered ──► Queues: the message is done
 * </pre>
 *
 * A message keeps its slot until its task's end is recorded, so there are never more tasks about than the workers' concurrency allows.
 * What is about to go to the admins at the same moment goes in one request: each courier has one under way, and what comes meanwhile goes
 * with the next. Every request may be repeated. Should this process die, an admin finds out and decides about its tasks.
 */
package io.orth.executor.internal.pipeline;
