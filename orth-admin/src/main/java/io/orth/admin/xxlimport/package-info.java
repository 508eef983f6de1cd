/**
 * Import of executor groups, jobs with the versions of their source, and users from the database of an XXL-JOB installation.
 *
 * <pre>
 *   read the outline ──► order the jobs, children first ──► for each page: read it, map it, store it
 * </pre>
 *
 * <p>A dry run performs the same steps except the last one, so that its report matches the import. Existing objects are never modified, so
 * an interrupted import can simply be repeated. Jobs are imported as paused, except those that only other jobs fire. Each job stores the
 * installation and id that it was imported from. A later import finds it by them, even if it was renamed, and reports its changes in
 * XXL-JOB since then.
 *
 * <p>The XXL-JOB database is only read, in one read-only snapshot, and never while a transaction of Orth's own is open.
 */
package io.orth.admin.xxlimport;
