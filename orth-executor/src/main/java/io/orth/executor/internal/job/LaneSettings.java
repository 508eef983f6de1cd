package io.orth.executor.internal.job;

import java.time.Duration;

/**
 * How lanes behave.
 *
 * @param poll how long one look into the queue waits
 * @param idlePolls a lane ends after more empty looks than this in a row
 * @param queueCapacity how many triggers of a job may wait for a thread
 * @param interruptGrace how long a handler may go on after it was interrupted before its thread is given up
 */
public record LaneSettings(Duration poll, int idlePolls, int queueCapacity, Duration interruptGrace) {}
