/**
 * What {@code ./orth up} runs: it starts the admin and the sample executor, says when they are ready, and stops them
 * together. Both hang on a pipe from this process, so that they end with it even if it is killed.
 *
 * <p>The console stays quiet: progress, warnings and errors. Everything the children say is in files under the data
 * directory.
 */
package io.orth.launcher;
