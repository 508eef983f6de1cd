/**
 * Which executor a run is sent to. {@link io.orth.admin.triggering.routing.Broadcasts} makes the runs of a broadcast, one for
 * each executor; {@link io.orth.admin.triggering.routing.Routes} chooses an executor for a run, and the next one where that
 * did not take it. Each family of strategies is a {@code Router}. What they need to know is read for a whole pass at once, from
 * the database only: no executor is asked. What ROUND, LFU and LRU remember is shared by all admins, at most a second late.
 */
package io.orth.admin.triggering.routing;
