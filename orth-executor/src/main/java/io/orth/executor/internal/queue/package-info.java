/**
 * The executor's side of queues. Messages are claimed from admins and processed in lanes like runs, and their results are
 * reported.
 *
 * <pre>
 *   Strand ──claim, results──► admin          Reporter ──results──► admin
 *     ▲                          │               ▲
 *     │ free slots               ▼ messages      │ results while every strand waits for a response
 *   MessageLedger ◄──result── lane ◄── TriggerDesk
 * </pre>
 *
 * A strand is a claim loop. It claims at most as many messages as there are free slots, and reports all results that are ready
 * with the claim. A claim keeps its slots and its id until an admin has responded: messages that were assigned to it and lost on
 * the way are redelivered when it is repeated. Results stay in memory until an admin has accepted them. If this process dies
 * before that, the messages are attempted again, in line with at-least-once delivery.
 */
package io.orth.executor.internal.queue;
