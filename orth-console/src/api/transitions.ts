import { path } from "./http";
import { all } from "./page";
import type { RunStatus } from "./runs";

type TransitionWire = {
  sequence: string | number;
  from: RunStatus | null;
  to: RunStatus;
  at: string;
  millisInFrom: number | null;
  cause: string | null;
  node: string | null;
  executor: string | null;
};

export type Transition = Omit<TransitionWire, "sequence" | "at"> & { sequence: string; at: Date };

export const toTransition = (wire: TransitionWire): Transition => ({
  ...wire,
  sequence: String(wire.sequence),
  at: new Date(wire.at),
});

export const listTransitions = async (runId: string, signal?: AbortSignal): Promise<Transition[]> =>
  (await all<TransitionWire>(path`/api/runs/${runId}/transitions`, {}, signal)).map(toTransition);
