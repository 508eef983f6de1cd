/**
 * Alerts on queues. A rule defines a condition for one queue or for all. {@link io.orth.admin.queuealert.AlertMonitor} evaluates the rules
 * against the statistics of the queues, on one node at a time.
 *
 * <pre>
 *   does not hold ──► holds ──(for holdFor)──► fires ──► resolved
 *         ▲             │                      │ ▲        │
 *         └─────────────┘   notified again ────┘ │        │
 *                         after the cooldown     └────────┘ fires again during the cooldown:
 *                                                           the same alert, without a notification
 * </pre>
 *
 * <p>The state of a rule, the time of the last notification and the pending notification are written in one transaction. So neither a
 * restart nor another admin repeats a notification. The alarm channels deliver notifications.
 */
package io.orth.admin.queuealert;
