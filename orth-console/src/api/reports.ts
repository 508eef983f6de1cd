import { get, withQuery } from "./http";

/** How runs ended on one day; `averageMillis` is null where none did. */
export type ReportDay = {
  day: string;
  success: number;
  failed: number;
  timeout: number;
  triggerFailed: number;
  /** Runs that came while their job was busy and were to be skipped then; neither successes nor failures. */
  skipped: number;
  averageMillis: number | null;
};

/** Day by day, the oldest first; `open` counts runs of all groups that are not over now. */
export type Report = { zone: string; open: number; days: ReportDay[] };

export type ReportFilter = { from: string; zone: string; groupId: string | undefined };

export const reportKeys = { runs: (filter: ReportFilter) => ["reports", "runs", filter] as const };

export const reportRuns = (filter: ReportFilter, signal?: AbortSignal): Promise<Report> =>
  get<Report>(withQuery("/api/reports/runs", filter), signal);

export const failuresOf = (day: ReportDay): number => day.failed + day.timeout + day.triggerFailed;

export const totalOf = (day: ReportDay): number => day.success + failuresOf(day);
