import { get } from "./http";
import { toDate } from "./page";

type SinkWire = {
  name: string;
  position: number;
  waitingBatches: number;
  waitingSince: string | null;
  lagMillis: number;
  emitted: number;
  dropped: number;
  failures: number;
  failedInRow: number;
  parkedSince: string | null;
  lastError: string | null;
  emittedAt: string | null;
  usedAt: string;
};

/** Somebody who is told of every change of state, and how far it is. */
export type Sink = Omit<SinkWire, "waitingSince" | "parkedSince" | "emittedAt" | "usedAt"> & {
  waitingSince: Date | null;
  parkedSince: Date | null;
  emittedAt: Date | null;
  usedAt: Date;
};

export const toSink = (wire: SinkWire): Sink => ({
  ...wire,
  waitingSince: toDate(wire.waitingSince),
  parkedSince: toDate(wire.parkedSince),
  emittedAt: toDate(wire.emittedAt),
  usedAt: new Date(wire.usedAt),
});

type NodeWire = { number: number; id: string; host: string; pid: number; version: string; startedAt: string };
type DutyWire = { duty: string; holder: string; term: number; acquiredAt: string; expiresAt: string | null; held: boolean };

/** An admin that is alive. */
export type ClusterNode = Omit<NodeWire, "startedAt"> & { startedAt: Date };

/** What one admin does for all. */
export type Duty = Omit<DutyWire, "acquiredAt" | "expiresAt"> & { acquiredAt: Date; expiresAt: Date | null };

/** `databaseClockBehindMillis` is null unless the database's clock went back and has not caught up. */
export type Cluster = { nodes: ClusterNode[]; duties: Duty[]; databaseClockBehindMillis: number | null };

type ClusterWire = { nodes: NodeWire[]; duties: DutyWire[]; databaseClockBehindMillis: number | null };

export const clusterKeys = { cluster: ["cluster"] as const, sinks: ["sinks"] as const };

export const listSinks = async (signal?: AbortSignal): Promise<Sink[]> =>
  (await get<SinkWire[]>("/api/transitions/sinks", signal)).map(toSink);

const toNode = (wire: NodeWire): ClusterNode => ({ ...wire, startedAt: new Date(wire.startedAt) });

const toDuty = (wire: DutyWire): Duty => ({
  ...wire,
  acquiredAt: new Date(wire.acquiredAt),
  expiresAt: toDate(wire.expiresAt),
});

export const readCluster = async (signal?: AbortSignal): Promise<Cluster> => {
  const { nodes, duties, databaseClockBehindMillis } = await get<ClusterWire>("/api/cluster", signal);
  return { nodes: nodes.map(toNode), duties: duties.map(toDuty), databaseClockBehindMillis };
};
