/**
 * Executor groups with their tokens, and the executor instances registered under them.
 *
 * <pre>
 *   (registers) ──► ONLINE ──deregisters──► OFFLINE
 *                     │  ▲                     │
 *   heartbeats missed │  └──heartbeat──────────┤
 *         or replaced ▼                        │
 *                    DEAD ─────────────────────┘
 * </pre>
 *
 * <p>An instance is one boot of an executor. It is declared dead only if heartbeats are missing <em>and</em> it cannot be reached (or
 * another instance responds at its address), or if a successor at its address has delivered its leftovers or the grace period for them has
 * passed.
 *
 * <p>XXL-JOB executors do not identify their boot: an instance is a group and an address. It is declared dead when it has not registered
 * for 90 seconds.
 */
package io.orth.admin.registry;
