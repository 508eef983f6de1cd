/**
 * Alarms about failed runs of jobs and, on request of other features, about queues and failed runs of pipelines
 * ({@link io.orth.admin.alarm.Alarms}). A run's {@link io.orth.admin.run.RunAlarm} is both the lock and the record:
 *
 * <pre>
 *   UNDECIDED ◄──► TAKEN by an alarm ──► SENT
 *                    │         │           ▲ by another channel
 *                    │         └──► FAILED ┘
 *                    └──► NOT_NEEDED (no channel watches the job, the job was deleted, the run was retried or ended on purpose)
 * </pre>
 *
 * <p>{@link io.orth.admin.alarm.AlarmMonitor} claims undecided runs and adds them to an alarm of each channel that watches them, in one
 * transaction. {@link io.orth.admin.alarm.AlarmSender} sends alarms under a lease, outside of any transaction. If a sender dies, another
 * node sends the alarm. A taken run without an alarm becomes undecided again. After an alarm, a channel collects runs for its window and
 * reports them in one message.
 */
package io.orth.admin.alarm;
