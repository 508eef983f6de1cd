/**
 * Shared foundation of all features: time, threads and loops, cluster leases, ids, guarded status changes, errors.
 *
 * <p>Nothing here depends on a feature. Time comes from {@link io.orth.admin.kernel.DatabaseClock}, threads from
 * {@link io.orth.runtime.Threads}, transactions from {@link io.orth.admin.kernel.Transactions}; nothing else creates them.
 */
package io.orth.admin.kernel;
