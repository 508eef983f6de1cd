/**
 * Reads a job's parameter as a record, for {@code @OrthJob} methods with a record parameter.
 *
 * <p>The record type is analyzed once, when the handler is registered, so unsupported components are found at startup. Parsing is
 * strict: mismatches are reported with their field, nothing is guessed.
 */
package io.orth.executor.internal.param;
