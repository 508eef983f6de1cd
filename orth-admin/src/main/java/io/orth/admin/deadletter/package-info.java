/**
 * Dead letters of all kinds: messages whose last attempt failed and runs without further retries. Provides one list, which can be searched,
 * grouped by fingerprint and exported, and bulk operations on dead letters and on the waiting messages of a queue.
 *
 * <p>This feature knows neither messages nor runs. The feature that dead-letters an item inserts it here in the same transaction, and
 * implements {@link io.orth.admin.deadletter.DeadLetterOwner} to retry and discard it.
 */
package io.orth.admin.deadletter;
