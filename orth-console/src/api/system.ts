import { get, post } from "./http";

export type PauseReason = "COPIED" | "START_PAUSED";

/** Which installation answers; a paused one has a reason. */
export type Installation = { id: string; copiedFromId: string | null; paused: boolean; pausedAt: string | null; pauseReason: PauseReason | null };

export type System = { version: string; node: string; environment: string; database: string; time: string; installation: Installation };

export const systemKeys = { all: ["system"] as const };

export const readSystem = (signal?: AbortSignal): Promise<System> => get<System>("/api/system", signal);

export const resumeInstallation = (): Promise<Installation> => post<Installation>("/api/installation/resume");
