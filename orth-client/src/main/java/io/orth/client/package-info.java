/**
 * Client library for applications: {@link io.orth.client.OrthClient} calls the admins over REST, {@link io.orth.client.TransactionalQueues}
 * pushes messages inside the application's own database transaction.
 */
package io.orth.client;
