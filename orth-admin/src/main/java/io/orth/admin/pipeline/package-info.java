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
 * <p>Every task reaches its queue through the outbox and travels as a message ({@link io.orth.admin.pipeline.CarriedTasks}): claiming the
 * message claims the task, finishing the message finishes the attempt, and retries and rescues of the message apply to the task. Executors
 * only propose children. {@link io.orth.admin.pipeline.PipelineReconciler} creates them once all tasks of a stage are finished, and
 * finishes the run after the last stage.
 *
 * <p>Lock order: the queue and its messages, the run, its tasks, the outbox. The dispatcher locks outbox entries before it enters a queue,
 * but it never waits for a message.
 */
package io.orth.admin.pipeline;
