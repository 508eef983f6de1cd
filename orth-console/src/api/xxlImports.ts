import { request } from "./http";

/** Where the database is: a URL as XXL-JOB's settings have it, or its parts. */
export type XxlJobSource = {
  url?: string;
  host?: string;
  port?: number;
  database?: string;
  user: string;
  password: string;
  tls: boolean;
  zone: string;
};

export const importKinds = ["GROUP", "JOB", "USER"] as const;
export type ImportKind = (typeof importKinds)[number];
export type ImportOutcome = "CREATED" | "EXISTS" | "FAILED";

/** A field that was changed in XXL-JOB after the import; `current` is null if the job was deleted there. */
export type ImportDrift = { field: string; imported: string; current: string | null };

/** What became, or would become, of one row of the database. */
export type ImportEntry = {
  kind: ImportKind;
  sourceId: string;
  group: string | null;
  name: string;
  outcome: ImportOutcome;
  id: string | null;
  wasRunning: boolean;
  changed: string[];
  notMapped: string[];
  drift: ImportDrift[];
  problem: string | null;
};

type Counts = { created: number; exists: number; failed: number };

export type ImportReport = {
  dryRun: boolean;
  source: string;
  groups: Counts;
  jobs: Counts;
  users: Counts;
  entries: ImportEntry[];
  leftOut: string[];
};

/** Whether somebody should look at it before jobs are started. */
export const needsALook = (entry: ImportEntry): boolean =>
  entry.problem !== null || entry.changed.length > 0 || entry.notMapped.length > 0 || entry.drift.length > 0;

export const created = (report: ImportReport): number => report.groups.created + report.jobs.created + report.users.created;

/** A large database takes minutes. */
const timeoutMillis = 600_000;

export const previewXxlImport = (source: XxlJobSource): Promise<ImportReport> =>
  request("POST", "/api/xxl-job-imports/preview", { body: source, timeoutMillis });

export const runXxlImport = (source: XxlJobSource): Promise<ImportReport> =>
  request("POST", "/api/xxl-job-imports", { body: source, timeoutMillis });
