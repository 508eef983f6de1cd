import { describe, expect, it } from "vitest";
import { deadGroupWire, deadLetterWire, operationWire } from "../test/queueFactories";
import { fakeFetch } from "../test/fakeFetch";
import { deadExportUrl, listDeadGroups, listDeadLetters, toDeadGroup, toDeadLetter } from "./deadLetters";
import {
  countConcerned,
  isFinished,
  listOperations,
  moveOperation,
  movesOf,
  type Operation,
  operationStatuses,
  percentOf,
  purgeQueue,
  readOperation,
  scopeOf,
  startOperation,
  toOperation,
} from "./operations";

const percent = (change: Partial<Operation>): number => percentOf({ ...toOperation(operationWire("RUNNING")), ...change });

describe("a dead letter", () => {
  it("keeps an id that a number could not hold, and reads its times as instants", () => {
    const letter = toDeadLetter(deadLetterWire("RUN", { payload: null }));
    expect([letter.id, letter.payload]).toEqual(["9007199254740993", ""]);
    expect([letter.diedAt, letter.pushedAt].map((at) => at.toISOString())).toEqual(["2026-11-03T13:05:10.000Z", "2026-11-03T13:05:09.120Z"]);
    expect(toDeadGroup(deadGroupWire()).firstSeen.toISOString()).toBe("2026-11-01T08:00:00.000Z");
  });

  it("is listed, grouped and exported by what the filter says", async () => {
    const calls = fakeFetch({ body: { items: [], next: "7" } }, { body: { items: [deadGroupWire()] } });
    const filter = { kind: "MESSAGE", queue: "mail:eu", error: "said no" };
    const page = await listDeadLetters(filter, "9");
    const groups = await listDeadGroups({ queue: "mail:eu" });
    // Nothing was found yet, and there is more to look through.
    expect([page.items.length, page.next, groups.length]).toEqual([0, "7", 1]);
    expect([...calls.map((call) => call.url), deadExportUrl(filter)]).toEqual([
      "/api/dead-letters?kind=MESSAGE&queue=mail%3Aeu&error=said+no&limit=50&after=9",
      "/api/dead-letters/groups?queue=mail%3Aeu&limit=200",
      "/api/dead-letters/export?kind=MESSAGE&queue=mail%3Aeu&error=said+no",
    ]);
  });
});

describe("an operation", () => {
  it("concerns all where the filter says nothing", () => {
    expect([scopeOf({}), scopeOf({ kind: "RUN" })]).toEqual([{ all: true }, { filter: { kind: "RUN" } }]);
  });

  it("is counted without being begun, and begun with its reason", async () => {
    const calls = fakeFetch({ body: { count: 3 } }, { status: 202, body: operationWire("RUNNING") });
    expect(await countConcerned("RETRY", { filter: { queue: "emails" } })).toBe(3);
    expect((await startOperation("DISCARD", { ids: ["12", "13"] }, "old")).id).toBe("5");
    expect(calls.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["POST", "/api/operations", { action: "RETRY", filter: { queue: "emails" }, dryRun: true }],
      ["POST", "/api/operations", { action: "DISCARD", ids: ["12", "13"], dryRun: false, reason: "old" }],
    ]);
  });

  it("is listed, read and moved by its own calls, and purges a queue by its name", async () => {
    const answer = { body: operationWire("PAUSED") };
    const calls = fakeFetch({ body: { items: [operationWire("DONE")], next: null } }, answer, answer, answer);
    expect((await listOperations("DONE", null)).items[0]?.finishedAt?.toISOString()).toBe("2026-11-03T14:00:05.000Z");
    await readOperation("5");
    await moveOperation("5", "abort");
    await purgeQueue("mail:eu", "mail:eu");
    expect(calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /api/operations?status=DONE&limit=50",
      "GET /api/operations/5",
      "POST /api/operations/5/abort",
      "POST /api/queues/mail%3Aeu/purge",
    ]);
    expect(calls[3]?.body).toEqual({ confirm: "mail:eu" });
  });

  it("can be moved until it is over", () => {
    expect(Object.fromEntries(operationStatuses.map((status) => [status, movesOf[status]]))).toEqual({
      RUNNING: ["pause", "abort"],
      PAUSED: ["resume", "abort"],
      DONE: [],
      ABORTED: [],
    });
    expect(operationStatuses.filter(isFinished)).toEqual(["DONE", "ABORTED"]);
  });

  it("is whole only when nothing is left, and never more than that", () => {
    expect([
      percent({ done: 400, skipped: 7, failed: 3 }),
      percent({ done: 999, skipped: 0, failed: 0 }),
      percent({ done: 990, skipped: 7, failed: 3 }),
      percent({ total: 1, done: 2 }),
      percent({ total: 0, done: 0, skipped: 0, failed: 0 }),
      percent({ total: 0, done: 0, skipped: 0, failed: 0, status: "DONE" }),
    ]).toEqual([41, 99, 100, 100, 0, 100]);
  });
});
