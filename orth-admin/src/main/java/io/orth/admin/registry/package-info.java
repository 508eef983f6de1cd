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
 * <p>An instance is one boot of an executor. It is called dead only when beats are missing <em>and</em> it cannot be
 * reached (or another instance answers there), or when a successor at its address has delivered what it left behind.
 */
package io.orth.admin.registry;
