import { describe, expect, it } from "vitest";
import { fakeFetch } from "../test/fakeFetch";
import { outboxWire, pipelineRunWire, pipelineWire, stageWire, taskWire } from "../test/pipelineFactories";
import { toJsonText, toReason } from "./jsonText";
import { listOutbox, redrive, toOutboxEntry } from "./outbox";
import {
  cancelPipelineRun,
  isRunOver,
  isSettled,
  listPipelineRuns,
  pipelineRunMillis,
  pipelineRunStatuses,
  postMortemUrl,
  readPipelineRun,
  reconcile,
  retryable,
  retryPipelineRun,
  startPipelineRun,
  toPipelineRun,
  tryPipelineRun,
} from "./pipelineRuns";
import { isHeld, listPipelines, listPipelineVersions, putPipelineText, readPipelineText, removePipeline, toPipeline, turn } from "./pipelines";
import { listContent, listExecutionLog, listTasks, taskMillis, toTask } from "./pipelineTasks";

const version = (number: number) => ({ version: number, description: null, stages: [stageWire("plan")], createdBy: "ann", createdAt: "2026-11-03T13:00:00Z" });

const asked = (calls: { method: string; url: string }[]): string[] => calls.map(({ method, url }) => `${method} ${url}`);

describe("a pipeline", () => {
  it("is listed with the switch of all, read as YAML, put, deleted and stopped by its own calls", async () => {
    const answer = { body: {} };
    const calls = fakeFetch({ body: { paused: true, items: [pipelineWire()] } }, { body: "x" }, { body: pipelineWire() }, answer, answer, answer, answer);
    expect(await listPipelines()).toMatchObject({ paused: true, items: [{ name: "courses", updatedAt: new Date("2026-11-03T13:00:00Z") }] });
    await readPipelineText("a b");
    await putPipelineText("courses", "{}");
    await removePipeline("courses");
    await turn({ pipeline: null, stage: null }, true);
    await turn({ pipeline: "courses", stage: null }, false);
    await turn({ pipeline: "courses", stage: "write" }, true);
    expect(asked(calls)).toEqual([
      "GET /api/pipelines",
      "GET /api/pipelines/a%20b?format=yaml",
      "PUT /api/pipelines/courses",
      "DELETE /api/pipelines/courses",
      "POST /api/pipelines/pause",
      "POST /api/pipelines/courses/resume",
      "POST /api/pipelines/courses/stages/write/pause",
    ]);
    expect(calls[1]?.headers.Accept).toBe("application/yaml");
    expect(calls[2]?.headers["Content-Type"]).toBe("application/yaml");
  });

  it("has its newest version first", async () => {
    fakeFetch({ body: { items: [version(1), version(2)] } });
    expect((await listPipelineVersions("courses")).map((each) => [each.version, each.description])).toEqual([
      [2, ""],
      [1, ""],
    ]);
  });

  it("is held where it or one of its stages is paused", () => {
    const held = [{}, { paused: true }, { stages: [stageWire("plan", { paused: true })] }].map((change) => isHeld(toPipeline(pipelineWire(change))));
    expect(held).toEqual([false, true, true]);
  });
});

describe("a run of a pipeline", () => {
  it("reads times, open tasks and JSON as the console uses them", () => {
    const run = toPipelineRun(pipelineRunWire("FAILED", { stages: [{ name: "plan", status: "WAITING", paused: false, expected: null, created: 9, completed: 2, failed: 1, cancelled: 0, open: null }] }));
    expect(run).toMatchObject({ startedAt: new Date("2026-11-03T13:00:01Z"), scope: '{"language":"en"}', failure: { code: "TOO_MANY_FAILURES" } });
    expect(run.stages[0]?.open).toBe(6);
    expect(toPipelineRun(pipelineRunWire("PENDING"))).toMatchObject({ startedAt: null, finishedAt: null, failure: null });
  });

  it("is over, settled and open to retries according to its status", () => {
    const facts = pipelineRunStatuses.map((status) => {
      const run = toPipelineRun(pipelineRunWire(status));
      return [status, isRunOver(status), isSettled(run), retryable(run).map((stage) => stage.name)];
    });
    expect(facts).toEqual([
      ["PENDING", false, false, []],
      ["RUNNING", false, false, ["write"]],
      ["COMPLETED", true, true, []],
      // Somebody may retry it.
      ["FAILED", true, false, ["write"]],
      ["CANCELLED", true, true, []],
    ]);
  });

  it("is not settled while its tasks are still being called off", () => {
    const stages = pipelineRunWire("RUNNING").stages;
    expect(isSettled(toPipelineRun(pipelineRunWire("CANCELLED", { stages })))).toBe(false);
  });

  it("takes from its first task to its end, or to now", () => {
    const now = new Date("2026-11-03T13:00:11Z");
    expect((["PENDING", "RUNNING", "FAILED"] as const).map((status) => pipelineRunMillis(toPipelineRun(pipelineRunWire(status)), now))).toEqual([null, 10_000, 90_000]);
  });

  it("is tried, started under a key, cancelled, retried and reconciled by its own calls", async () => {
    const submitted = { body: { rootJobId: "1", version: 4, estimate: { tasks: null, basis: "NONE" }, duplicate: false } };
    const run = { body: pipelineRunWire("RUNNING") };
    const calls = fakeFetch(submitted, submitted, {}, {}, run, run, { body: { actions: [] } }, run, { body: { items: [pipelineRunWire("RUNNING")] } });
    const draft = { scope: { language: "en" }, options: {} };
    await tryPipelineRun("courses", draft);
    await startPipelineRun("courses", draft, "key-1");
    await cancelPipelineRun("1", "");
    await cancelPipelineRun("1", "wrong model");
    await retryPipelineRun("1", {});
    await retryPipelineRun("1", { stage: "write" });
    await reconcile("1", true);
    await readPipelineRun("1");
    expect((await listPipelineRuns({ pipeline: "courses", status: "FAILED" }, "7")).items).toHaveLength(1);
    expect(asked(calls)).toEqual([
      "POST /api/pipelines/courses/runs",
      "POST /api/pipelines/courses/runs",
      "POST /api/pipeline-runs/1/cancel",
      "POST /api/pipeline-runs/1/cancel",
      "POST /api/pipeline-runs/1/retry",
      "POST /api/pipeline-runs/1/retry",
      "POST /api/pipelines/reconcile",
      "GET /api/pipeline-runs/1",
      "GET /api/pipeline-runs?pipeline=courses&status=FAILED&limit=50&after=7",
    ]);
    expect(calls.slice(0, 7).map((call) => call.body)).toEqual([
      { ...draft, dryRun: true },
      draft,
      {},
      { reason: "wrong model" },
      {},
      { stage: "write" },
      { rootJobId: "1", dryRun: true },
    ]);
    expect([calls[0]?.headers["Idempotency-Key"], calls[1]?.headers["Idempotency-Key"]]).toEqual([undefined, "key-1"]);
    expect(postMortemUrl("1")).toBe("/api/pipeline-runs/1/post-mortem");
  });
});

describe("a task", () => {
  it("reads what may be absent", () => {
    const { messageId: _, ...bare } = taskWire("PENDING", { meta: null, params: null, lockedAt: null });
    expect(toTask(bare)).toMatchObject({ messageId: null, meta: {}, params: "", lockedAt: null, error: null });
    expect(toTask(taskWire("FAILED")).error).toEqual({ code: "HANDLER_FAILED", message: "the endpoint said no", detail: "at Chat.ask" });
  });

  it("took from its begin to its end, or to now while it runs", () => {
    const now = new Date("2026-11-03T13:00:31Z");
    const millis = (["COMPLETED", "RUNNING"] as const).map((status) => taskMillis(toTask(taskWire(status)), now));
    expect([...millis, taskMillis(toTask(taskWire("CLAIMED", { startedAt: null })), now)]).toEqual([2500, 1000, null]);
  });

  it("is listed with its filters, as are the log and the content", async () => {
    const page = { body: { items: [] } };
    const calls = fakeFetch(page, page, page);
    await listTasks("1", { stage: "write", status: "FAILED", targetId: "a/1" }, null);
    await listExecutionLog("1", { taskId: "71", phase: "error" }, null);
    await listContent("1", { status: "ready" }, "9");
    expect(asked(calls)).toEqual([
      "GET /api/pipeline-runs/1/tasks?stage=write&status=FAILED&targetId=a%2F1&limit=50",
      "GET /api/pipeline-runs/1/execution-log?taskId=71&phase=error&limit=50",
      "GET /api/pipeline-runs/1/content?status=ready&limit=50&after=9",
    ]);
  });
});

describe("the outbox", () => {
  it("is listed by state, and sent again in part or as a whole", async () => {
    const calls = fakeFetch({ body: { items: [outboxWire({ lastError: null })] } }, { body: { redriven: 2 } }, { body: { redriven: 9 } });
    expect((await listOutbox("PARKED", null)).items[0]).toMatchObject({ lastError: "", nextAttemptAt: null });
    expect([await redrive(["5", "6"]), await redrive("all")]).toEqual([2, 9]);
    expect(calls[0]?.url).toBe("/api/outbox?state=PARKED&limit=50");
    expect(calls.slice(1).map((call) => call.body)).toEqual([{ ids: ["5", "6"] }, { all: true }]);
    expect(toOutboxEntry(outboxWire()).parkedAt?.toISOString()).toBe("2026-11-03T14:00:00.000Z");
  });
});

describe("documents", () => {
  it("are shown as they came, be they text or JSON", () => {
    expect([null, undefined, "plain", { a: 1 }, 7].map(toJsonText)).toEqual(["", "", "plain", '{"a":1}', "7"]);
  });

  it("say why something failed, in whatever form they came", () => {
    expect([null, "", "it broke", '{"code":"X","message":"no"}', { code: "X", stage: "write" }].map(toReason)).toEqual([
      null,
      null,
      { code: "", message: "it broke", detail: "" },
      { code: "X", message: "no", detail: "" },
      { code: "X", message: "", detail: '{"stage":"write"}' },
    ]);
  });
});
