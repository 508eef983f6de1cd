/**
 * The command line of Orth, run by {@code ./orth cli}. Each command is one class and, except for those that process all runs,
 * makes one call of {@link io.orth.client.OrthClient}. It prints the response as a table or, with {@code --json}, unchanged.
 */
package io.orth.cli;
