/**
 * The PostgreSQL server that Orth starts itself: a real server, from binaries on the class path, with its data in a given directory.
 *
 * <p>Contents of the directory given to {@link io.orth.postgres.EmbeddedPostgres#start}:
 *
 * <pre>
 * lock                 held by the process that owns this directory; contains its pid
 * password             of the only user, generated, readable by the owner only
 * cluster/             PostgreSQL's own data directory
 * cluster.new/         a cluster being created; renamed to cluster/ when complete, so an incomplete one is never used
 * log/postgres.log     the server's output, bounded
 * binaries/            the unpacked server, one directory per version and platform
 * </pre>
 *
 * <p>The owner closes the server. If the owner dies without doing so, a watcher process that holds the other end of a pipe to it stops
 * the server. If the watcher is killed too, the next start stops the remaining processes. A server of another owner is never adopted,
 * because its settings are unknown.
 */
package io.orth.postgres;
