import { describe, expect, it } from "vitest";
import { fakeFetch } from "../test/fakeFetch";
import { runWire } from "../test/factories";
import { type Killed, killJob, killRuns, problemsOf } from "./kills";
import { isEnding, toRun } from "./runs";

const killed = (...messages: string[]): Killed => ({
  ended: 0,
  ending: messages.length,
  over: 0,
  more: false,
  runs: messages.map((message, index) => ({ runId: String(index), outcome: "ENDING", status: "PENDING", message })),
});

describe("a kill", () => {
  it("carries a reason only where there is one", async () => {
    const calls = fakeFetch({ body: killed() }, { body: killed() });
    await killJob("7", " ");
    await killRuns(["1", "2"], " stuck ");
    expect(calls.map((call) => call.url)).toEqual(["/api/jobs/7/kill", "/api/runs/kill"]);
    expect(calls.map((call) => call.body)).toEqual([{}, { runIds: ["1", "2"], reason: "stuck" }]);
  });

  it("tells each problem once, and none where executors are at it", () => {
    expect(problemsOf(killed("http://a is ending it", "cannot be told", "cannot be told"))).toEqual(["cannot be told"]);
  });

  it("shows until the run is over", () => {
    const kill = { at: "2026-11-03T13:05:09.120Z", by: "alice", reason: "" };
    expect(isEnding(toRun(runWire("PENDING", { kill })))).toBe(true);
    expect(isEnding(toRun(runWire("FAILED", { kill })))).toBe(false);
    expect(isEnding(toRun(runWire("PENDING")))).toBe(false);
  });
});
