/**
 * Orth from a terminal: what {@code ./orth cli} runs. Each command is one class and, but for those that go over all runs, one call of
 * {@link io.orth.client.OrthClient}; what is shown of its answer is a table, or with {@code --json} the answer itself.
 */
package io.orth.cli;
