/**
 * Tells people about failed runs of jobs and, where other features ask for it, about queues and failed runs of pipelines
 * ({@link io.orth.admin.alarm.Alarms}). A run's {@link io.orth.admin.run.RunAlarm} is the lock and the record:
 *
 * <pre>
 *   UNDECIDED ◄──► TAKEN by an alarm ──► SENT
 *                    │         │           ▲ by another channel
 *                    │         └──► FAILED ┘
 *                    └──► NOT_NEEDED (no channel watches the job, the job is gone, it was retried or ended on purpose)
 * </pre>
 *
 * <p>{@link io.orth.admin.alarm.AlarmMonitor} takes runs that are undecided and puts them into an alarm of each channel
 * that watches them, in one transaction; {@link io.orth.admin.alarm.AlarmSender} sends alarms under a lease, outside of any. An alarm
 * whose sender died is sent by another; a taken run without an alarm is undecided again. A channel that had an alarm lately collects
 * runs until its window is over, and one message names them all.
 */
package io.orth.admin.alarm;
