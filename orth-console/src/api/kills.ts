import { path, post } from "./http";
import type { RunStatus } from "./runs";

/** What became of a run: over before, over now, or not yet. */
export type KillOutcome = "OVER" | "ENDED" | "ENDING";

type KilledRun = { runId: string; outcome: KillOutcome; status: RunStatus; message: string | null };

/** `more`: the job has further runs that are not over. */
export type Killed = { ended: number; ending: number; over: number; more: boolean; runs: KilledRun[] };

/** The most runs that one call ends. */
export const mostKills = 1000;

const body = (reason: string): { reason?: string } => (reason.trim() === "" ? {} : { reason: reason.trim() });

export const killRun = (id: string, reason: string): Promise<Killed> => post(path`/api/runs/${id}/kill`, body(reason));

export const killRuns = (runIds: string[], reason: string): Promise<Killed> => post("/api/runs/kill", { runIds, ...body(reason) });

export const killJob = (id: string, reason: string): Promise<Killed> => post(path`/api/jobs/${id}/kill`, body(reason));

/** Why runs are not over yet, each reason once; being ended by its executor is as it should be. */
export const problemsOf = (killed: Killed): string[] => [
  ...new Set(
    killed.runs
      .filter((run) => run.outcome === "ENDING" && !(run.message ?? "").endsWith("is ending it"))
      .map((run) => run.message ?? ""),
  ),
];
