/**
 * Who can run work: executor groups with their tokens, and the executor instances that registered under them.
 *
 * <pre>
 *   (registers) ──► ONLINE ──leaves──► OFFLINE
 *                     │  ▲                │
 *        beats missed │  └──beats again───┤
 *        or replaced  ▼                   │
 *                    DEAD ────────────────┘
 * </pre>
 *
 * <p>Executors that speak only XXL-JOB's wire do not say which boot they are: one of them is its group and address, and is
 * called dead when it has not registered for 90 seconds.
 *
 * <p>An instance is one boot of an executor. It is called dead only when beats are missing <em>and</em> it cannot be
 * reached (or another instance answers there), or when a successor at its address has delivered what it left behind.
 */
package io.orth.admin.registry;
