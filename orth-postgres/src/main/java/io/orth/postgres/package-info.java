/**
 * The PostgreSQL that Orth starts itself: a real server, from binaries on the class path, whose data stays where it is told.
 *
 * <p>What lies in the directory given to {@link io.orth.postgres.EmbeddedPostgres#start}:
 *
 * <pre>
 * lock                 held by the process that owns this directory; contains its pid
 * password             of the one user, generated, readable by the owner only
 * cluster/             PostgreSQL's own data directory
 * cluster.new/         a cluster being made; becomes cluster/ by a rename, so a half-made one is never used
 * log/postgres.log     what the server says, bounded
 * binaries/            the unpacked server, one directory per version and platform
 * </pre>
 *
 * <p>The owner closes the server. If the owner dies without doing so, a watcher process that holds the other end of a pipe
 * to it stops the server; if that is killed too, the next start stops what was left behind. A server of somebody else is
 * never adopted, as nobody would know with which settings it runs.
 */
package io.orth.postgres;
