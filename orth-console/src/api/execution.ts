import { get, path, post } from "./http";
import { mapPage, type Page } from "./page";

/** What becomes of a run while its job is busy. */
export const blockStrategies = ["SERIAL", "DISCARD", "COVER", "CONCURRENT"] as const;
export type BlockStrategy = (typeof blockStrategies)[number];

/** Where a job counts as busy for its block strategy. */
export const blockScopes = ["EXECUTOR", "CLUSTER"] as const;
export type BlockScope = (typeof blockScopes)[number];

export const glueTypes = [
  "GLUE_SHELL",
  "GLUE_PYTHON",
  "GLUE_PYTHON2",
  "GLUE_NODEJS",
  "GLUE_PHP",
  "GLUE_POWERSHELL",
  "GLUE_GROOVY",
] as const;
export type GlueType = (typeof glueTypes)[number];

/** Which source runs; its text is only there where one job is read. */
export type Glue = { type: GlueType; version: number; source: string | null };

/** How a job, or a run of it, is executed. */
export type Execution = {
  blockStrategy: BlockStrategy;
  blockScope: BlockScope;
  concurrency: number;
  timeoutSeconds: number;
  glue: Glue | null;
};

type SourceWire = {
  version: number;
  type: GlueType;
  bytes: number;
  note: string;
  author: string;
  createdAt: string;
  source: string | null;
};

export type SourceVersion = Omit<SourceWire, "createdAt"> & { createdAt: Date };

const toSource = (wire: SourceWire): SourceVersion => ({ ...wire, createdAt: new Date(wire.createdAt) });

/** Versions of a job and versions of its source are both small numbers: the word before them keeps their keys apart. */
export const sourceKeys = {
  list: (jobId: string, jobVersion: number) => ["sources", jobId, "list", jobVersion] as const,
  one: (jobId: string, version: number) => ["sources", jobId, "one", version] as const,
};

export const listSources = async (jobId: string, signal?: AbortSignal): Promise<SourceVersion[]> =>
  mapPage(await get<Page<SourceWire>>(path`/api/jobs/${jobId}/sources`, signal), toSource).items;

export const readSource = async (jobId: string, version: number, signal?: AbortSignal): Promise<SourceVersion> =>
  toSource(await get<SourceWire>(path`/api/jobs/${jobId}/sources/${String(version)}`, signal));

export const restoreSource = (jobId: string, version: number): Promise<{ version: number; sourceVersion: number }> =>
  post(path`/api/jobs/${jobId}/sources/${String(version)}/restore`);
