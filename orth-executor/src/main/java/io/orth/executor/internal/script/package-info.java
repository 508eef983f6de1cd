/**
 * Runs source text that arrives with a trigger: scripts in separate processes, other source through a
 * {@link io.orth.executor.GlueHandlerFactory}.
 *
 * <pre>
 *   SourceHandlers ── same (job, source, version) ──► same handler object
 *        │
 *        ├── ScriptJobHandler ── init: ScriptFiles writes {jobId}_{version}.{ext} ── execute: ScriptRunner
 *        │                                                                               │
 *        │              process ◄── environment, arguments ── ScriptCommand ◄────────────┤
 *        │                 │ stdout + stderr ──► ScriptOutput ──► OutputLines ──► run log │
 *        │                 └── interrupted: ProcessTree ends every process ◄─────────────┘
 *        │
 *        └── GlueJobHandler ── init: compile, inject ── execute: the compiled handler
 * </pre>
 *
 * On the thread that receives the trigger, only the handler is looked up. External text reaches a process as an argument, a
 * variable or file content, never as part of a command line. File names consist of numbers.
 */
package io.orth.executor.internal.script;
