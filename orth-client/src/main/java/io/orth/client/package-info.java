/**
 * Orth from an application's side: {@link io.orth.client.OrthClient} talks to the admins over REST,
 * {@link io.orth.client.TransactionalQueues} pushes messages inside the application's own database transaction.
 */
package io.orth.client;
