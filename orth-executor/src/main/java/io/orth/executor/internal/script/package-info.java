/**
 * Runs source text that travels with a trigger: scripts in processes of their own, other source through a {@link
 * io.orth.executor.GlueHandlerFactory}.
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
 * Nothing here runs on the thread that took the trigger except looking up the handler. All text from outside reaches a process as an
 * argument, a variable or the content of a file, never as part of a command line, and file names are made of numbers.
 */
package io.orth.executor.internal.script;
