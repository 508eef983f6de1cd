/**
 * What the platform itself has to say: nodes that come and go, executors that die, duties that fail and recover. Any feature may
 * publish; nothing waits for what becomes of a line.
 *
 * <pre>
 *   SystemLog.publish ──► LiveLines (the newest 100 of all admins) ──► REST, server-sent events
 *        │                     ▲
 *        ▼                     │ LogTail: what other admins have archived
 *     Backlog (memory) ──► LogArchiver ──► SystemLogArchive (SQL; searched, kept for some days)
 *        │ full                │ ▲
 *        ▼                     ▼ │ database away, and back
 *     counted drop          LogSpill (files, bounded; read again after a restart)
 * </pre>
 *
 * <p>A line is known by its node and its number there: archived twice, it is there once.
 */
package io.orth.admin.systemlog;
