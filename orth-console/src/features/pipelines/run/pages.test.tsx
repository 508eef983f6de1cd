import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { PipelineRunStatus } from "../../../api/pipelineRuns";
import type { Role } from "../../../api/session";
import { fakeServer } from "../../../test/fakeFetch";
import { pagesAt, press, words } from "../../../test/pages";
import { pipelineRunWire, pipelineWire, taskWire } from "../../../test/pipelineFactories";
import PipelineRunPage from "./PipelineRunPage";
import PipelineRunsPage from "./PipelineRunsPage";

const show = pagesAt([
  { path: "/pipeline-runs", Component: PipelineRunsPage },
  { path: "/pipeline-runs/:id", Component: PipelineRunPage },
]);

const here = "/pipeline-runs/9007199254740993";
const page = (...items: unknown[]) => ({ body: { items, next: null } });

const routesOf = (status: PipelineRunStatus) => ({
  "GET /api/pipelines": { body: { paused: false, items: [pipelineWire()] } },
  "GET /api/pipeline-runs": page(pipelineRunWire(status)),
  [`GET /api${here}`]: { body: pipelineRunWire(status) },
  [`GET /api${here}/tasks`]: page(taskWire("FAILED"), taskWire("PENDING", { id: "72", messageId: null, logId: null })),
  [`GET /api${here}/execution-log`]: page({ no: "1", taskId: null, phase: "start", payload: { by: "ann" }, createdAt: "2026-11-03T13:00:00Z" }),
  [`GET /api${here}/content`]: page({ no: "1", taskId: "71", contentRef: "chapters/7", status: "ready", size: 1200, createdAt: "2026-11-03T13:00:00Z" }),
  "GET /api/pipeline-tasks/71": { body: taskWire("FAILED") },
  "GET /api/pipeline-tasks/71/log": { body: { exists: true, from: 0, to: 5, size: 5, text: "asked", end: true } },
});

/** What can be done, without the buttons that show a task. */
const actions = (): string[] => words().filter((word) => !word.startsWith("Show task"));

afterEach(cleanup);

describe("runs of pipelines", () => {
  it("are those that the address asks for", async () => {
    const calls = fakeServer(routesOf("FAILED"));
    show("/pipeline-runs?pipeline=courses&status=FAILED&createdBy=ann");
    const row = (await screen.findByText("#9007199254740993")).closest("tr")?.textContent;
    expect(row).toContain("coursesv4Failed60%3");
    expect(row).toContain("1 m 30 s");
    expect(calls.map((call) => call.url)).toContain("/api/pipeline-runs?pipeline=courses&status=FAILED&createdBy=ann&limit=50");
  });

  it("say that none matches, or that there is none", async () => {
    fakeServer({ ...routesOf("FAILED"), "GET /api/pipeline-runs": page() });
    show("/pipeline-runs?status=FAILED");
    expect(await screen.findByText("Nothing matches these filters")).toBeTruthy();
    cleanup();
    fakeServer({ ...routesOf("FAILED"), "GET /api/pipeline-runs": page() });
    show("/pipeline-runs");
    expect(await screen.findByText("No run yet")).toBeTruthy();
  });
});

describe("a run of a pipeline", () => {
  it("shows how far each stage is, why it failed, and its tasks", async () => {
    fakeServer(routesOf("FAILED"));
    show(here);
    expect(await screen.findByText(/^Stage write failed: 3 of 40 tasks/)).toBeTruthy();
    const stages = document.querySelector("section[aria-label='Progress of the stages']")?.textContent ?? "";
    expect(stages).toContain("planOver33000");
    expect(stages).toContain("writeOver40203170");
    const task = (await screen.findByText("the endpoint said no")).closest("tr");
    expect(task?.textContent).toContain("HANDLER_FAILED");
  });

  it("offers what its status allows to those who may", async () => {
    const offered: Record<string, string[]> = {};
    const cases: [PipelineRunStatus, Role][] = [["PENDING", "OPERATOR"], ["RUNNING", "OPERATOR"], ["COMPLETED", "OPERATOR"], ["FAILED", "OPERATOR"], ["CANCELLED", "OPERATOR"], ["RUNNING", "VIEWER"]];
    for (const [status, role] of cases) {
      fakeServer(routesOf(status));
      show(here, role);
      // One after the other: each needs the page for itself.
      // oxlint-disable-next-line no-await-in-loop
      await screen.findByText("the endpoint said no");
      offered[`${role} ${status}`] = actions();
      expect(screen.getByText("Post-mortem").closest("a")?.getAttribute("href")).toBe(`/api${here}/post-mortem`);
      cleanup();
    }
    expect(offered).toEqual({
      "OPERATOR PENDING": ["Reconcile", "Cancel the run"],
      "OPERATOR RUNNING": ["Retry failed", "Reconcile", "Cancel the run"],
      "OPERATOR COMPLETED": ["Reconcile"],
      "OPERATOR FAILED": ["Retry failed", "Reconcile"],
      "OPERATOR CANCELLED": ["Reconcile"],
      "VIEWER RUNNING": [],
    });
  });

  it("retries what failed after a question that says how many", async () => {
    const calls = fakeServer({ ...routesOf("FAILED"), [`POST /api${here}/retry`]: { status: 202, body: pipelineRunWire("RUNNING") } });
    show(here);
    await press("Retry failed");
    expect(await screen.findAllByText("Retry 3 failed tasks?")).not.toEqual([]);
    await press("Retry");
    await waitFor(() => expect(calls.find((call) => call.method === "POST")).toMatchObject({ url: `/api${here}/retry`, body: {} }));
  });

  it("is cancelled with the reason that was given", async () => {
    const calls = fakeServer({ ...routesOf("RUNNING"), [`POST /api${here}/cancel`]: { body: pipelineRunWire("CANCELLED") } });
    show(here);
    await press("Cancel the run");
    await screen.findByLabelText("Reason");
    await press("Cancel the run");
    await waitFor(() => expect(calls.find((call) => call.method === "POST")?.url).toBe(`/api${here}/cancel`));
  });

  it("is reconciled only after it was said what would be done", async () => {
    const found = { rootJobId: "9007199254740993", status: "RUNNING", actions: [{ kind: "ORPHAN_MESSAGE", stage: "write", count: 2 }] };
    const calls = fakeServer({ ...routesOf("RUNNING"), "POST /api/pipelines/reconcile": { body: found } });
    const dryRuns = (): unknown[] => calls.filter((call) => call.method === "POST").map((call) => (call.body as { dryRun: boolean }).dryRun);
    show(here);
    await press("Reconcile");
    expect((await screen.findByText("Send again what has no message")).closest("tr")?.textContent).toContain("write2");
    expect(dryRuns()).toEqual([true]);
    await press("Do it");
    expect(await screen.findByText("This was done:")).toBeTruthy();
    expect(dryRuns()).toEqual([true, false]);
  });

  it("has nothing to reconcile where all is well", async () => {
    fakeServer({ ...routesOf("RUNNING"), "POST /api/pipelines/reconcile": { body: { rootJobId: "1", status: "RUNNING", actions: [] } } });
    show(here);
    await press("Reconcile");
    expect(await screen.findByText(/There is nothing to do/)).toBeTruthy();
    expect([...document.querySelectorAll("button")].find((button) => button.textContent === "Do it")?.disabled).toBe(true);
  });

  it("shows one task with its error, what it was given and what its handler wrote", async () => {
    fakeServer(routesOf("FAILED"));
    show(`${here}?task=71`, "VIEWER");
    expect(await screen.findByText("HANDLER_FAILED: the endpoint said no")).toBeTruthy();
    expect(await screen.findByText("asked")).toBeTruthy();
    expect(screen.getByText("#88").getAttribute("href")).toBe("/queues/pipeline.courses.write/messages/88");
    expect(screen.getByText(/"title": "Sums"/)).toBeTruthy();
    expect(words()).not.toContain("Retry this task");
  });

  it("shows what happened and what was made", async () => {
    fakeServer(routesOf("FAILED"));
    show(`${here}?tab=log`);
    expect((await screen.findByText('{"by":"ann"}')).closest("tr")?.textContent).toContain("Startthe run");
    cleanup();
    fakeServer(routesOf("FAILED"));
    show(`${here}?tab=content`);
    expect((await screen.findByText("chapters/7")).closest("tr")?.textContent).toContain("ready1,200#71");
  });

  it("that does not exist says so", async () => {
    fakeServer({ "GET /api/pipeline-runs/1": { status: 404, body: {} } });
    show("/pipeline-runs/1");
    expect((await screen.findByRole("alert")).textContent).toContain("This does not exist");
  });
});

describe("the result of a run @must-kernel", () => {
  it("is shown with the links to what the run produced", async () => {
    const run = pipelineRunWire("COMPLETED", { result: { courses: 12 }, links: [{ name: "Catalogue", url: "https://shop.example/catalogue" }] });
    fakeServer({ ...routesOf("COMPLETED"), [`GET /api${here}`]: { body: run } });
    show(`${here}?tab=result`);

    const link = await screen.findByText("Catalogue");
    expect(link.getAttribute("href")).toBe("https://shop.example/catalogue");
    expect(link.getAttribute("rel")).toBe("noreferrer");
    expect(screen.getByText(/"courses": 12/)).toBeTruthy();
  });

  it("says that there is none", async () => {
    fakeServer(routesOf("COMPLETED"));
    show(`${here}?tab=result`);

    expect(await screen.findByText("The run has no result. Handlers and clients can set one.")).toBeTruthy();
  });
});

describe("runs and tasks by their meta @must-kernel", () => {
  it("are those that have all pairs of the address", async () => {
    const calls = fakeServer(routesOf("FAILED"));
    show("/pipeline-runs?meta=tenant%3Dacme%2C+env%3Dprod");
    await screen.findByText("#9007199254740993");
    expect(calls.map((call) => call.url)).toContain("/api/pipeline-runs?meta.tenant=acme&meta.env=prod&limit=50");
    cleanup();
    show(`${here}?meta=language%3Den`);
    await waitFor(() => expect(calls.map((call) => call.url)).toContain(`/api${here}/tasks?meta.language=en&limit=50`));
  });
});
