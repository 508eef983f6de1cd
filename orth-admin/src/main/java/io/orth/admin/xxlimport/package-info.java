/**
 * Brings over what an XXL-JOB installation has in its database: executor groups, jobs with the versions of their source, and
 * users.
 *
 * <pre>
 *   read the outline ──► order the jobs, children first ──► for each page: read it, map it, store it
 * </pre>
 *
 * <p>A dry run takes the same way and leaves out the last step, so what it says is what would happen. What is there already is
 * never changed; so an import that ended half-way is simply done again. Jobs arrive
 * stopped, except those that only other jobs fire. Each keeps the installation and id it
 * comes from: a later import finds it by them, under whatever name, and reports what was changed in XXL-JOB since.
 *
 * <p>The foreign database is only read, in one read-only snapshot, and never while a transaction of Orth's own is open.
 */
package io.orth.admin.xxlimport;
