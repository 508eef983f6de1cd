/**
 * Pipelines: work in stages over many targets. A run (the root) has tasks; each task is one target in one stage.
 *
 * <pre>
 *   run:    PENDING ──first task claimed──► RUNNING ──► COMPLETED
 *              │                             │  ▲ └───► FAILED
 *              └────────► CANCELLED ◄────────┘  └─retry──┘
 *
 *   task:   PENDING ──► CLAIMED ──► RUNNING ──► COMPLETED
 *            ▲ │ ▲ ▲       │          │ │ └────► FAILED
 *            │ │ │ └─lost──┘          │ │          │
 *            │ │ └────retry, lost─────┘ │          │
 *            │ └────► CANCELLED ◄───────┘          │
 *            └───────────────retry─────────────────┘
 * </pre>
 *
 * <p>Every task reaches its queue through the outbox. Executors claim it by its attempt's number, which with the instance is the
 * fence of all they say about it later. They only propose children: {@link io.orth.admin.pipeline.PipelineReconciler} makes them, once
 * all tasks of a stage are over, and ends the run after the last stage.
 *
 * <p>Locks are taken in this order: the run, its tasks, the outbox, the queue.
 */
package io.orth.admin.pipeline;
