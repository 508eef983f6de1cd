/**
 * Queues: messages that producers put in, that executors ask for and report about, and that are given up after too many failures.
 *
 * <pre>
 *              push                claim                    done
 *   (producer) ────► WAITING ────────────────► RUNNING ───────────────► DONE
 *                     │  ▲ ▲   failed, returned,  │  failed for good,
 *             discard │  │ └── its executor gone ──┤  or once too often
 *                     ▼  │          retry          ▼
 *                DISCARDED ◄───── discard ─────── DEAD
 *                        └────── (from DEAD) ──────┘
 * </pre>
 *
 * <p>A message that is given to an executor belongs to that instance; the attempt's number is the fence: a result counts only if
 * the message is still at that attempt and with that instance. When the registry finds that an instance is gone, its messages go
 * back. {@link io.orth.admin.queue.QueueDriver} is where messages are kept.
 */
package io.orth.admin.queue;
