/**
 * Alerts on queues. A rule says what is watched for, in one queue or in all; {@link io.orth.admin.queuealert.AlertMonitor}, on one node
 * at a time, holds the rules against the sums that queues keep.
 *
 * <pre>
 *   does not hold ──► holds ──(as long as the rule says)──► fires ──► is over
 *         ▲             │                                     │ ▲        │
 *         └─────────────┘              told again when the ───┘ │        │
 *                                     cool-down is over         └────────┘ comes back while the cool-down lasts:
 *                                                                          the same alert again, and nobody is told
 * </pre>
 *
 * <p>Since when a rule holds, when people were last told and that they are to be told are written in one transaction, so that
 * neither a restart nor another admin tells it again. Telling is the alarm channels' work.
 */
package io.orth.admin.queuealert;
