/**
 * Work that was given up, of whichever sort: messages after their last attempt and runs that nobody will repeat. One list, which can be
 * searched, grouped by kind of failure and exported, and operations that do something with many of them, or with all that waits in
 * a queue, part by part.
 *
 * <p>This feature does not know what messages and runs are. Who gives them up writes them here, in the transaction that does, and
 * says through {@link io.orth.admin.deadletter.DeadLetterOwner} how they get another chance.
 */
package io.orth.admin.deadletter;
