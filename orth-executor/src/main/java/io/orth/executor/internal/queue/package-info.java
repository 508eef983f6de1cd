/**
 * Queues from the executor's side: messages are pulled from admins, done in lanes like runs, and their results reported.
 *
 * <pre>
 *   Strand ──claim, results──► admin          Reporter ──results──► admin
 *     ▲                          │               ▲
 *     │ free slots               ▼ messages      │ results while every strand waits for an answer
 *   MessageLedger ◄──result── lane ◄── TriggerDesk
 * </pre>
 *
 * A strand asks for no more messages than there are free slots, and tells every result that is ready along with it. A claim keeps its
 * slots and its id until an admin has answered it: what was given under it and lost on the way comes again with the next try. Results
 * stay in memory until an admin has taken them; should this process die before, the messages are attempted again, which is what
 * queues promise: at least once.
 */
package io.orth.executor.internal.queue;
