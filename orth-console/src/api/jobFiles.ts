import type { JobFilter } from "./jobs";
import { request, withQuery } from "./http";

export type Outcome = "CREATED" | "UPDATED" | "UNCHANGED" | "FAILED";

/** What became, or would become, of one job of a file. */
export type ImportedJob = { group: string; name: string; outcome: Outcome; id: string | null; problem: string | null };

export type JobImport = {
  dryRun: boolean;
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
  jobs: ImportedJob[];
};

/** JSON is YAML too, so one way to read serves both. */
const send = (text: string, dryRun: boolean): Promise<JobImport> =>
  request("POST", withQuery("/api/jobs/import", { dryRun }), { file: { type: "application/yaml", text }, timeoutMillis: 120_000 });

export const tryImport = (text: string): Promise<JobImport> => send(text, true);

export const importJobs = (text: string): Promise<JobImport> => send(text, false);

/** Where the file with all jobs that match is. */
export const exportUrl = (filter: JobFilter, format: "yaml" | "json"): string =>
  withQuery("/api/jobs/export", { ...filter, format });
