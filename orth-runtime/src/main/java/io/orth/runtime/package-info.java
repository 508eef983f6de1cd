/**
 * Threads, background loops, growing delays and bounded HTTP responses, once for admin, executor and client. It depends on the JDK only, because the
 * executor and the client are part of other people's applications.
 */
package io.orth.runtime;
