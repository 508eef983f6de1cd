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
 * <p>Every task reaches its queue through the outbox and travels as its message ({@link io.orth.admin.pipeline.CarriedTasks}): the
 * claim of the message claims the task, its end ends the attempt, its retry and its rescue are the task's. Executors only propose
 * children: {@link io.orth.admin.pipeline.PipelineReconciler} creates them, once all tasks of a stage are over, and ends the run after
 * the last stage.
 *
 * <p>Locks are taken in this order: the queue and its messages, the run, its tasks, the outbox. The dispatcher, which has entries of the
 * outbox before it enters a queue, waits for no message.
 */
package io.orth.admin.pipeline;
