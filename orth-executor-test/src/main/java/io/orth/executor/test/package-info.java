/**
 * Test support for handlers. {@link io.orth.executor.test.TestRun} runs a handler as an executor would, with a context that the
 * test sets up, and returns its result and log. {@link io.orth.executor.test.TestTask} does the same for pipeline tasks.
 */
package io.orth.executor.test;
