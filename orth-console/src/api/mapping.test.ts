import { describe, expect, it } from "vitest";
import { fakeFetch } from "../test/fakeFetch";
import { jobWire, runWire, transitionWire } from "../test/factories";
import { listExecutors, toExecutor } from "./executors";
import { listGroups } from "./groups";
import { createJob, listJobs, setEnabled, toJob, triggerJob } from "./jobs";
import { hasEnded, listRuns, runMillis, runStatuses, toRun } from "./runs";
import { may, roles } from "./session";
import { stays, toTransition } from "./transitions";

describe("a run", () => {
  it("keeps an id that a number could not hold", () => {
    expect(toRun(runWire("SUCCESS")).id).toBe("9007199254740993");
  });

  it("reads its times as instants and absent texts as empty", () => {
    const run = toRun(runWire("PENDING"));
    expect(run.createdAt.toISOString()).toBe("2026-11-03T13:05:09.120Z");
    expect(run.finishedAt).toBeNull();
    expect(run.param).toBe("");
    expect(run.handleMsg).toBe("");
  });

  it("has ended in every status but the first two", () => {
    expect(runStatuses.filter((status) => !hasEnded(status))).toEqual(["INIT", "PENDING"]);
  });

  it("takes time from being sent to its end, or to now", () => {
    const now = new Date("2026-11-03T13:05:12.150Z");
    expect(runMillis(toRun(runWire("PENDING")), now)).toBe(3000);
    expect(runMillis(toRun(runWire("SUCCESS", { finishedAt: "2026-11-03T13:05:09.650Z" })), now)).toBe(500);
    expect(runMillis(toRun(runWire("INIT", { triggeredAt: null })), now)).toBeNull();
    expect(runMillis(toRun(runWire("TRIGGER_FAILED")), now)).toBeNull();
  });

  it("is listed with the filter and the cursor", async () => {
    const calls = fakeFetch({ body: { items: [runWire("FAILED")], next: "c2" } });
    const page = await listRuns({ status: "FAILED", jobId: "7" }, "c1");
    expect(calls[0]?.url).toBe("/api/runs?status=FAILED&jobId=7&limit=50&after=c1");
    expect(page.next).toBe("c2");
    expect(page.items[0]?.handleCode).toBe(500);
  });
});

describe("a job", () => {
  it("reads its last run and next fire", () => {
    const job = toJob(
      jobWire({
        nextFireAt: "2026-11-03T14:00:00Z",
        lastRun: { id: "1", status: "FAILED", triggerCode: 200, handleCode: 500, at: "2026-11-03T13:00:00Z" },
      }),
    );
    expect(job.nextFireAt).toEqual(new Date("2026-11-03T14:00:00Z"));
    expect(job.lastRun).toMatchObject({ id: "1", at: new Date("2026-11-03T13:00:00Z") });
    expect(toJob(jobWire()).lastRun).toBeNull();
  });

  it("is paused and resumed by its own calls", async () => {
    const calls = fakeFetch({ body: jobWire({ enabled: false }) }, { body: jobWire() });
    await setEnabled("7", false);
    await setEnabled("7", true);
    expect(calls.map((call) => call.url)).toEqual(["/api/jobs/7/pause", "/api/jobs/7/resume"]);
  });

  it("runs with its own parameter unless another is given", async () => {
    const calls = fakeFetch({ status: 202, body: { runId: "12" } }, { status: 202, body: { runId: "13" } });
    expect(await triggerJob("7", null)).toBe("12");
    expect(await triggerJob("7", "")).toBe("13");
    expect(calls.map((call) => call.body)).toEqual([{}, { param: "" }]);
  });

  it("is created from a draft and listed by filter", async () => {
    const { name, groupId, handler, schedule, misfire, enabled, maxAttempts, backoff, children } = jobWire();
    const calls = fakeFetch({ status: 201, body: jobWire() }, { body: { items: [], next: null } });
    await createJob({ name, groupId, handler, param: "", schedule, misfire, enabled, blockStrategy: "SERIAL", blockScope: "CLUSTER", concurrency: 1, timeoutSeconds: 0, glue: null, maxAttempts, backoff, children, routing: "ROUND", addresses: [] });
    await listJobs({ q: "count", enabled: "true" }, null);
    expect(calls[0]?.body).toMatchObject({ name: "Countdown", schedule: { type: "NONE" } });
    expect(calls[1]?.url).toBe("/api/jobs?q=count&enabled=true&limit=50");
  });
});

describe("lists that are read whole", () => {
  it("follow the cursor to the end", async () => {
    const group = { id: "1", name: "a", title: null, online: 0, createdAt: "2026-11-03T13:00:00Z" };
    const calls = fakeFetch({ body: { items: [group], next: "1" } }, { body: { items: [{ ...group, id: "2" }], next: null } });
    const groups = await listGroups();
    expect(groups.map((each) => [each.id, each.title])).toEqual([
      ["1", ""],
      ["2", ""],
    ]);
    expect(calls.map((call) => call.url)).toEqual(["/api/groups?limit=200", "/api/groups?limit=200&after=1"]);
  });

  it("stop at a bound when a cursor never ends", async () => {
    const calls = fakeFetch(...Array.from({ length: 30 }, () => ({ body: { items: [], next: "again" } })));
    await listExecutors(false);
    expect(calls).toHaveLength(20);
  });
});

describe("numbers that are names", () => {
  it("become text", () => {
    const executor = {
      instanceId: "i",
      groupId: "1",
      groupName: "sample",
      address: "http://h:1",
      kind: "ORTH" as const,
      status: "ONLINE" as const,
      host: null,
      pid: 41,
      version: null,
      registeredAt: "2026-11-03T13:00:00Z",
      lastBeatAt: "2026-11-03T13:00:00Z",
      draining: true,
      unreachableAt: "2026-11-03T13:00:00Z",
      metrics: { cpu: 0.15, processCpu: 0.05, ram: { rss: 120, heapUsed: 45, heapTotal: 64 }, running: 3, queued: 8, leakedThreads: 0 },
    };
    expect(toExecutor(executor).pid).toBe("41");
    expect(toExecutor(executor).draining).toBe(true);
    expect(toExecutor(executor).unreachable).toBe(true);
    expect(toExecutor({ ...executor, unreachableAt: null }).unreachable).toBe(false);
    const gone = toExecutor({ ...executor, status: "DEAD" });
    expect([gone.draining, gone.unreachable, gone.metrics]).toEqual([false, false, null]);
  });
});

const at = (seconds: number): string => new Date(Date.UTC(2026, 10, 3, 13, 0, seconds)).toISOString();
const isEnd = (state: string): boolean => state === "SUCCESS" || state === "FAILED";

describe("a timeline", () => {
  const now = new Date(at(60));
  const made = toTransition(transitionWire({ sequence: 1, from: null, to: "INIT", millisInFrom: null, at: at(0) }));
  const sent = toTransition(transitionWire({ sequence: 2, from: "INIT", to: "PENDING", millisInFrom: 2000, at: at(2) }));
  const lost = toTransition(transitionWire({ sequence: 3, from: "PENDING", to: "FAILED", millisInFrom: 8000, at: at(10) }));
  const corrected = toTransition(transitionWire({ sequence: 4, from: "FAILED", to: "SUCCESS", millisInFrom: 5000, at: at(15) }));

  it("reads instants, and ids that a number could not hold", () => {
    const read = toTransition(transitionWire({ work: { ...transitionWire().work, scheduleTime: at(1) } }));
    expect(read.at.toISOString()).toBe("2026-11-03T13:05:09.150Z");
    expect(read.work.scheduleTime?.toISOString()).toBe(at(1));
    expect(read.entityId).toBe("9007199254740993");
  });

  it("says how long each state took, and that the last one goes on", () => {
    expect(stays([made, sent], isEnd, now)).toEqual([
      { state: "INIT", millis: 2000, open: false },
      { state: "PENDING", millis: 58_000, open: true },
    ]);
  });

  it("gives the end no time, and what was corrected its own", () => {
    expect(stays([made, sent, lost, corrected], isEnd, now).map(({ state, millis }) => [state, millis])).toEqual([
      ["INIT", 2000],
      ["PENDING", 8000],
      ["FAILED", 5000],
    ]);
    expect(stays([], isEnd, now)).toEqual([]);
  });
});

describe("roles", () => {
  it("may each do what the one before may, and more", () => {
    expect(roles.map((role) => [may(role, "read"), may(role, "operate"), may(role, "administer")])).toEqual([
      [true, false, false],
      [true, true, false],
      [true, true, true],
    ]);
  });
});
