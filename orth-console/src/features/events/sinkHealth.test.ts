import { describe, expect, it } from "vitest";
import { toSink } from "../../api/cluster";
import { healthOf } from "./sinkHealth";

const now = new Date("2026-11-03T13:00:00Z");
const sink = {
  name: "file",
  position: 7,
  waitingBatches: 0,
  waitingSince: null,
  lagMillis: 0,
  emitted: 7,
  dropped: 0,
  failures: 0,
  failedInRow: 0,
  parkedSince: null,
  lastError: null,
  emittedAt: null,
  usedAt: "2026-11-03T12:59:58Z",
};

describe("a sink", () => {
  it("is well while what it has not taken is young", () => {
    expect(healthOf(toSink(sink), now)).toBe("healthy");
    expect(healthOf(toSink({ ...sink, waitingSince: "2026-11-03T12:59:57Z", lagMillis: 3000 }), now)).toBe("healthy");
    expect(healthOf(toSink({ ...sink, waitingSince: "2026-11-03T12:59:00Z", lagMillis: 60_000 }), now)).toBe("behind");
  });

  it("fails since its first failure in a row", () => {
    expect(healthOf(toSink({ ...sink, parkedSince: "2026-11-03T12:59:00Z", failedInRow: 2 }), now)).toBe("parked");
  });

  it("is not used where no admin has said so for a minute, whatever it was before", () => {
    expect(healthOf(toSink({ ...sink, usedAt: "2026-11-03T12:50:00Z", parkedSince: "2026-11-03T12:40:00Z" }), now)).toBe("idle");
  });
});
