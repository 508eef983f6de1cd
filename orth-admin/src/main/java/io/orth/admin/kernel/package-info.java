/**
 * What every feature stands on: time, threads and loops, the cluster's leases, ids, guarded status changes, errors.
 *
 * <p>Nothing here knows a feature. Time comes from {@link io.orth.admin.kernel.DatabaseClock}, threads from {@link
 * io.orth.runtime.Threads}, transactions from {@link io.orth.admin.kernel.Transactions}; no other place makes them.
 */
package io.orth.admin.kernel;
