package io.orth.executor.internal.job;

import java.time.Duration;

/**
 * The settings of lanes.
 *
 * @param poll how long one poll of the lane waits for a run
 * @param idlePolls maximum number of consecutive empty polls, after which a lane ends
 * @param queueCapacity maximum number of a job's triggers that wait for a thread
 * @param interruptGrace how long an interrupted handler may continue before its thread is abandoned
 */
public record LaneSettings(Duration poll, int idlePolls, int queueCapacity, Duration interruptGrace) {}
