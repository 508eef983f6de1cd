import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { Role } from "../../api/session";
import { fakeServer } from "../../test/fakeFetch";
import { pagesAt, press, words } from "../../test/pages";
import { outboxWire, pipelineRunWire, pipelineWire, stageWire } from "../../test/pipelineFactories";
import EditPipelinePage from "./EditPipelinePage";
import NewPipelinePage from "./NewPipelinePage";
import OutboxPage from "./outbox/OutboxPage";
import PipelinePage from "./PipelinePage";
import PipelinesPage from "./PipelinesPage";

const show = pagesAt([
  { path: "/pipelines", Component: PipelinesPage },
  { path: "/new-pipeline", Component: NewPipelinePage },
  { path: "/pipelines/:name", Component: PipelinePage },
  { path: "/pipelines/:name/edit", Component: EditPipelinePage },
  { path: "/pipeline-runs/:id", element: <p>the run</p> },
  { path: "/outbox", Component: OutboxPage },
]);

const nothing = { body: { items: [], next: null } };

/** A server with one pipeline of one run, and an empty outbox. */
const routes = {
  "GET /api/pipelines": { body: { paused: false, items: [pipelineWire()] } },
  "GET /api/pipelines/courses": { body: pipelineWire() },
  "GET /api/pipeline-runs": { body: { items: [pipelineRunWire("FAILED")], next: null } },
  "GET /api/outbox": nothing,
};

const submitted = (rootJobId: string | null) => ({ rootJobId, version: 4, estimate: { tasks: 26, basis: "LAST_RUN" }, duplicate: false });

const type = (label: string, text: string): boolean => fireEvent.change(screen.getByLabelText(label), { target: { value: text } });

// What the editor asks of the browser and jsdom lacks.
Range.prototype.getClientRects = () => [] as unknown as DOMRectList;

afterEach(cleanup);

describe("the list of pipelines", () => {
  it("shows stages, what is paused, and the last runs", async () => {
    fakeServer({ ...routes, "GET /api/pipelines": { body: { paused: false, items: [pipelineWire({ stages: [stageWire("plan"), stageWire("write", { paused: true })] })] } } });
    show("/pipelines");
    expect((await screen.findByText("courses")).closest("tr")?.textContent).toContain("planwritePaused");
    expect((await screen.findByLabelText(/^Run 9007199254740993: Failed/)).getAttribute("href")).toBe("/pipeline-runs/9007199254740993");
    expect(words()).toEqual([]);
  });

  it("offers each role what it may do", async () => {
    const offered: Partial<Record<Role, string[]>> = {};
    for (const role of ["VIEWER", "OPERATOR", "ADMIN"] as const) {
      fakeServer(routes);
      show("/pipelines", role);
      // One after the other: each needs the page for itself.
      // oxlint-disable-next-line no-await-in-loop
      await screen.findByText("courses");
      offered[role] = words();
      cleanup();
    }
    expect(offered).toEqual({ VIEWER: [], OPERATOR: [], ADMIN: ["Pause all pipelines", "Start a run of courses", "Pause courses"] });
  });

  it("says that everything is paused, and resumes it only after a question", async () => {
    const calls = fakeServer({ ...routes, "GET /api/pipelines": { body: { paused: true, items: [] } }, "POST /api/pipelines/resume": { body: { paused: false } } });
    show("/pipelines", "ADMIN");
    expect(await screen.findByText(/All pipelines are paused/)).toBeTruthy();
    await press("Resume all pipelines");
    expect(await screen.findAllByText("Resume all pipelines?")).not.toEqual([]);
    expect(calls.filter((call) => call.method === "POST")).toEqual([]);
    await press("Resume");
    await waitFor(() => expect(calls.find((call) => call.method === "POST")?.url).toBe("/api/pipelines/resume"));
  });

  it("leads to the outbox where something is parked", async () => {
    fakeServer({ ...routes, "GET /api/outbox": { body: { items: [outboxWire()], next: null } } });
    show("/pipelines");
    expect((await screen.findByText("Open the outbox")).closest("a")?.getAttribute("href")).toBe("/outbox");
  });

  it("says how to get one where there is none, and why it shows nothing", async () => {
    fakeServer({ ...routes, "GET /api/pipelines": { body: { paused: false, items: [] } } });
    show("/pipelines");
    expect(await screen.findByText("There are no pipelines yet")).toBeTruthy();
    cleanup();
    fakeServer({ ...routes, "GET /api/pipelines": { status: 403, body: {} } });
    show("/pipelines");
    expect((await screen.findByRole("alert")).textContent).toContain("You may not see this");
  });
});

describe("a pipeline", () => {
  it("shows what its stages are, and stops one after a question", async () => {
    const calls = fakeServer({ ...routes, "POST /api/pipelines/courses/stages/write/pause": { body: pipelineWire() } });
    show("/pipelines/courses", "ADMIN");
    const row = (await screen.findByText("courses.write")).closest("tr")?.textContent ?? "";
    expect(row).toContain("pipeline.courses.write");
    expect(row).toContain("1\u00A0s, × 2 per attempt, max 1\u00A0h");
    expect(row).toContain("5% of the tasks");
    await press("Pause stage write of courses");
    expect(await screen.findAllByText("Pause stage write of courses?")).not.toEqual([]);
    await press("Pause");
    await waitFor(() => expect(calls.some((call) => call.url.endsWith("/stages/write/pause"))).toBe(true));
  });

  it("that does not exist says so, and offers a viewer nothing where it does", async () => {
    fakeServer({ ...routes, "GET /api/pipelines/none": { status: 404, body: {} } });
    show("/pipelines/none");
    expect((await screen.findByRole("alert")).textContent).toContain("This does not exist");
    cleanup();
    fakeServer(routes);
    show("/pipelines/courses?tab=runs", "VIEWER");
    await screen.findByText("#9007199254740993");
    expect(words()).toEqual([]);
  });

  it("is checked before it is started, under one key", async () => {
    const calls = fakeServer({
      ...routes,
      "POST /api/pipelines/courses/runs": ({ body }) => ({ body: submitted((body as { dryRun?: boolean }).dryRun === true ? null : "77") }),
    });
    const posts = (): unknown[] => calls.filter((call) => call.method === "POST").map((call) => call.body);
    show("/pipelines/courses", "ADMIN");
    await press("Start a run of courses");
    await screen.findByLabelText("Targets");
    type("Targets", "algebra");
    type("Options (JSON)", "nonsense");
    await press("Check");
    expect(await screen.findByText("Line 1 has no type and id")).toBeTruthy();
    expect(await screen.findByText("This is no JSON object")).toBeTruthy();
    expect(posts()).toEqual([]);
    type("Targets", "course algebra\ncourse sums");
    type("Options (JSON)", "");
    await press("Check");
    expect(await screen.findByText("About 26 tasks in all.")).toBeTruthy();
    // What was checked is not what would be started any more.
    type("Targets", "course algebra");
    await waitFor(() => expect(screen.queryByText("About 26 tasks in all.")).toBeNull());
    await press("Check");
    await screen.findByText("About 26 tasks in all.");
    await press("Start");
    expect(await screen.findByText("the run")).toBeTruthy();
    const scope = { targets: [{ targetType: "course", targetId: "algebra" }] };
    expect(posts().slice(1)).toEqual([
      { scope, options: {}, dryRun: true },
      { scope, options: {} },
    ]);
    expect(calls.findLast((call) => call.method === "POST")?.headers["Idempotency-Key"]).toMatch(/^console-/);
  });
});

describe("the definition of a pipeline", () => {
  const editable = { ...routes, "GET /api/pipelines/courses": { body: { ...pipelineWire(), stages: [] } } };

  it("is not written over that of somebody else", async () => {
    const calls = fakeServer({ ...editable, "PUT /api/pipelines/courses": { status: 412, body: {} } });
    show("/pipelines/courses/edit", "ADMIN");
    await press("Save");
    expect((await screen.findByRole("alert")).textContent).toContain("someone else has changed this in the meantime");
    expect(calls.find((call) => call.method === "PUT")?.body).toMatchObject({ version: 4 });
    expect(words()).toContain("Drop my changes and load theirs");
  });

  it("says which of its fields the server does not take", async () => {
    const errors = [{ field: "stages[1].queue", message: "is shared" }];
    fakeServer({ ...editable, "PUT /api/pipelines/courses": { status: 400, body: { detail: "bad", errors } } });
    show("/pipelines/courses/edit", "ADMIN");
    await press("Save");
    expect((await screen.findByRole("alert")).textContent).toContain("stages[1].queue is shared");
  });

  it("is for administrators", async () => {
    for (const address of ["/pipelines/courses/edit", "/new-pipeline"]) {
      fakeServer(routes);
      show(address, "OPERATOR");
      // oxlint-disable-next-line no-await-in-loop
      expect((await screen.findByRole("alert")).textContent).toContain("You may not see this");
      cleanup();
    }
  });
});

describe("the outbox", () => {
  it("shows why entries are parked, and sends those that are selected again", async () => {
    const calls = fakeServer({ ...routes, "GET /api/outbox": { body: { items: [outboxWire()], next: null } }, "POST /api/outbox/redrive": { body: { redriven: 1 } } });
    show("/outbox");
    const row = (await screen.findByText("answered 503")).closest("tr");
    expect(row?.textContent).toContain("Webhookwarehouse");
    fireEvent.click(screen.getByLabelText("Select entry 5"));
    await press("Send 1 entry again");
    await waitFor(() => expect(calls.find((call) => call.method === "POST")?.body).toEqual({ ids: ["5"] }));
  });

  it("offers a viewer nothing, and says where there is nothing", async () => {
    fakeServer(routes);
    show("/outbox", "VIEWER");
    expect(await screen.findByText("Nothing is parked")).toBeTruthy();
    expect(words()).toEqual([]);
    expect(document.querySelectorAll("input[type=checkbox]")).toHaveLength(0);
  });
});
