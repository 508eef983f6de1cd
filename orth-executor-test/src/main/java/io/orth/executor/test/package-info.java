/**
 * For tests of handlers: {@link io.orth.executor.test.TestRun} runs one as an executor would, with a context of the test's
 * choice, and gives back its result and its log.
 */
package io.orth.executor.test;
