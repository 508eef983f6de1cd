import type { Sink } from "../../api/cluster";

export const sinkHealths = ["healthy", "behind", "parked", "idle"] as const;
export type SinkHealth = (typeof sinkHealths)[number];

/** What is younger is on its way. */
const onTimeMillis = 5_000;

/** Admins say every few seconds which sinks they have. */
const usedMillis = 60_000;

/** How a sink does; one that nobody uses any more is only remembered. */
export function healthOf(sink: Sink, now: Date): SinkHealth {
  if (now.getTime() - sink.usedAt.getTime() > usedMillis) {
    return "idle";
  }
  if (sink.parkedSince !== null) {
    return "parked";
  }
  return sink.lagMillis > onTimeMillis ? "behind" : "healthy";
}
