/** How the executor of a run is chosen. */
export const routeStrategies = [
  "ROUND",
  "RANDOM",
  "FIRST",
  "LAST",
  "CONSISTENT_HASH",
  "LFU",
  "LRU",
  "FAILOVER",
  "BUSYOVER",
  "SHARDING_BROADCAST",
] as const;
export type RouteStrategy = (typeof routeStrategies)[number];

/** Where the runs of a job go; without addresses, to any executor of its group. */
export type Routing = { routing: RouteStrategy; addresses: string[] };

/** Which part of a broadcast a run is; 0 of 1 where it is none. */
export type Shard = { shardIndex: number; shardTotal: number };
