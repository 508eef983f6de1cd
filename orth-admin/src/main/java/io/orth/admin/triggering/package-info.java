/**
 * Getting runs to executors, and knowing when that is in vain.
 *
 * <p>The way of a run: {@link io.orth.admin.triggering.TriggerDispatcher} picks an executor that is online and puts the run
 * in that executor's lane; the lane commits the intent (to whom, the how-manieth time), sends a batch, and records the
 * answers. What the executor refused, or what surely never reached it, goes to the next one. Where it is unclear whether the
 * executor has it, the executor is asked ({@code UnsentRunRescuer}), never guessed. Whatever a node leaves undone, dead or
 * alive, is taken up by any node once the run's claim has run out. {@link io.orth.admin.triggering.RunKiller} ends runs on
 * purpose, and sees to each until it is over. No network call happens inside a transaction.
 */
package io.orth.admin.triggering;
