/**
 * What becomes of runs that are over: a partition for each day, dropped when its time has come, and how many ended how, by the
 * hour, for charts.
 *
 * <pre>
 *   run ends ──► orth_run_history ◄── HistoryKeeper: adds days ahead, drops old ones
 *        └─────► orth_run_tally ── tally folder ──► orth_run_report ◄── RunReports
 * </pre>
 */
package io.orth.admin.history;
