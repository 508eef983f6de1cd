/**
 * The program behind {@code ./orth up}. It starts the admin and the sample executor, reports when they are ready, and stops them
 * together. Both read a pipe from this process, so they end with it even if it is killed.
 *
 * <p>The terminal shows only progress, warnings and errors. The complete output of the children is in files under the data
 * directory.
 */
package io.orth.launcher;
