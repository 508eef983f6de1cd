/**
 * Threads, background loops, growing delays and bounded HTTP responses, shared by admin, executor and client. Depends only on the JDK,
 * because the executor and the client are embedded in other applications.
 */
package io.orth.runtime;
