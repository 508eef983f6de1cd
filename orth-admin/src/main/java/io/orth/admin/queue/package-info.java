/**
 * Queues of messages. Producers push messages, executors claim them and report results, and messages that fail too often become dead
 * letters.
 *
 * <pre>
 *              push                claim                    complete
 *   (producer) ────► WAITING ────────────────► RUNNING ───────────────► DONE
 *                     │  ▲ ▲ failed, released,    │  non-retryable failure,
 *             discard │  │ └─── executor lost ────┤  or last attempt failed
 *                     ▼  │          retry         ▼
 *                DISCARDED ◄───── discard ────── DEAD
 *                        └────── (from DEAD) ─────┘
 * </pre>
 *
 * <p>A claimed message belongs to one executor instance, and its claim is the fence: a result counts only if the message is still with
 * that instance under that claim. When the registry declares an instance dead, its messages are requeued.
 * {@link io.orth.admin.queue.QueueDriver} is the storage of messages.
 */
package io.orth.admin.queue;
