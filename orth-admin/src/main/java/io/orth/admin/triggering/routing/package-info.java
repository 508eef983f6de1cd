/**
 * Chooses the executor of a run. {@link io.orth.admin.triggering.routing.Broadcasts} creates the runs of a broadcast, one per executor.
 * {@link io.orth.admin.triggering.routing.Routes} chooses an executor for a run, and the next one if that executor did not accept it.
 * Each family of strategies is a {@code Router}. The data is read once per pass, from the database only: no executor is queried. The
 * state of ROUND, LFU and LRU is shared by all admins with a delay of at most one second.
 */
package io.orth.admin.triggering.routing;
