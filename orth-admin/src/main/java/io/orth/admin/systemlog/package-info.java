/**
 * Log of the platform's own events: nodes that join and leave, executors declared dead, duties that fail and recover. Any feature may
 * publish. Publishing never waits for a line to be archived.
 *
 * <pre>
 *   SystemLog.publish ──► LiveLines (the newest 100 of all admins) ──► REST, server-sent events
 *        │                     ▲
 *        ▼                     │ LogTail: lines archived by other admins
 *     Backlog (memory) ──► LogArchiver ──► SystemLogArchive (SQL; searchable, kept for some days)
 *        │ full                │ ▲
 *        ▼                     ▼ │ database down, and up again
 *     counted drop          LogSpill (files, bounded; read again after a restart)
 * </pre>
 *
 * <p>Node and number identify a line, so archiving it twice stores it once.
 */
package io.orth.admin.systemlog;
