/**
 * History of finished runs: one partition per day, dropped when its retention ends, and hourly counts by result for charts.
 *
 * <pre>
 *   run ends ──► orth_run_history ◄── HistoryKeeper: adds days ahead, drops old ones
 *        └─────► orth_run_tally ── tally folder ──► orth_run_report ◄── RunReports
 * </pre>
 */
package io.orth.admin.history;
