import { get } from "./http";

export type System = { version: string; node: string; environment: string; database: string; time: string };

export const systemKeys = { all: ["system"] as const };

export const readSystem = (signal?: AbortSignal): Promise<System> => get<System>("/api/system", signal);
