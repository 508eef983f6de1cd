import type { APIRequestContext, Page } from "@playwright/test";
import { expect, look, test, unique } from "./fixtures";

const stage = (name: string) => ({ name, handler: `nobody.${name}` });

/** Puts a pipeline of two stages that no executor works on. */
async function put(api: APIRequestContext, name: string): Promise<void> {
  const answer = await api.put(`/api/pipelines/${name}`, { data: { description: "Plans, then writes", stages: [stage("plan"), stage("write")] } });
  expect(answer.status()).toBe(201);
}

/** Starts a run over REST; gives back its id. */
async function start(api: APIRequestContext, name: string): Promise<string> {
  const targets = ["algebra", "sums"].map((targetId) => ({ targetType: "course", targetId }));
  const answer = await api.post(`/api/pipelines/${name}/runs`, { data: { scope: { targets }, options: {} } });
  expect(answer.status()).toBe(202);
  return (await answer.json()).rootJobId;
}

const mark = (page: Page, word: string) => page.locator(".page-header").getByText(word, { exact: true });

/** A button that was busy may keep the icon of it, which is part of its name, after it is gone from view. */
const named = (word: string): RegExp => new RegExp(`^(loading )?${word}$`);

/** Presses a button, and the word in the question that follows; over when the question is gone. */
async function confirm(page: Page, button: string, word: string): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).click();
  const dialog = page.getByRole("dialog");
  // While the dialog still opens, a click may miss.
  await expect(async () => {
    if ((await dialog.count()) > 0) {
      await dialog.getByRole("button", { name: named(word) }).click({ timeout: 2_000 });
    }
    await expect(dialog).toHaveCount(0, { timeout: 3_000 });
  }).toPass();
}

test.describe("pipelines", { tag: ["@console", "@must-pipelines"] }, () => {
  test("a pipeline is written, and a run of it is checked, started and seen to wait", async ({ page }) => {
    const name = unique("written");
    await page.goto("/pipelines");
    await page.getByRole("link", { name: "New pipeline" }).first().click();
    await expect(page.getByText("example.first")).toBeVisible();
    await page.getByLabel("Pipeline", { exact: true }).fill(name);
    await look(page, "pipeline-new");
    await page.getByRole("button", { name: "Create" }).click();
    await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
    await expect(mark(page, "Version 1")).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: "example.second" })).toContainText("5% of the tasks");
    await expect(page.getByRole("region", { name: "Definition as YAML" })).toContainText(`pipeline.${name}.first`);
    await look(page, "pipeline");

    await page.getByRole("button", { name: `Start a run of ${name}` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Targets").fill("course algebra\ncourse");
    await dialog.getByRole("button", { name: "Check" }).click();
    await expect(dialog.getByText("Line 2 has no type and id")).toBeVisible();
    await dialog.getByLabel("Targets").fill("course algebra\ncourse sums");
    // What was wrong goes away while one writes, and the button moves.
    await expect(async () => {
      await dialog.getByRole("button", { name: "Check" }).click({ timeout: 2_000 });
      await expect(dialog.getByText("Version 1 would begin with 2 tasks.")).toBeVisible({ timeout: 5_000 });
    }).toPass();
    await look(page, "pipeline-start");
    await dialog.getByRole("button", { name: named("Start") }).click();
    await expect(page).toHaveURL(/\/pipeline-runs\/\d+$/);
    await expect(mark(page, "Pending")).toBeVisible();
    const task = page.getByRole("row").filter({ hasText: "course sums" });
    await expect(task).toContainText("Pending");
    await look(page, "pipeline-run-pending");
    await task.getByRole("button", { name: /^Show task/ }).click();
    await expect(page.getByRole("dialog")).toContainText(`pipeline.${name}.first`);
    await look(page, "pipeline-task");
  });

  test("a run is reconciled and cancelled with a reason, and says so", async ({ page, api }) => {
    const name = unique("cancelled");
    await put(api, name);
    const id = await start(api, name);
    await page.goto(`/pipeline-runs?pipeline=${name}`);
    await expect(page.getByRole("row").filter({ hasText: id })).toContainText("Pending");
    await look(page, "pipeline-runs");
    await page.getByRole("link", { name: `#${id}` }).click();
    await page.getByRole("button", { name: "Reconcile" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("There is nothing to do: everything is as it should be.")).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Do it" })).toBeDisabled();
    await look(page, "pipeline-run-reconcile");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Cancel the run" }).click();
    await dialog.getByLabel("Reason").fill("the wrong courses");
    await look(page, "pipeline-run-cancel");
    await dialog.getByRole("button", { name: "Cancel the run" }).click();
    await expect(mark(page, "Cancelled")).toBeVisible();
    await expect(page.getByRole("button", { name: "Cancel the run" })).toBeHidden();
    await expect(page.getByRole("row").filter({ hasText: "course algebra" })).toContainText("Cancelled");
    await look(page, "pipeline-run-cancelled");
    await page.getByRole("tab", { name: "Execution log" }).click();
    await expect(page.getByRole("row").filter({ hasText: "the wrong courses" })).toContainText("Step");
    await look(page, "pipeline-run-log");
    await page.getByRole("tab", { name: "Timeline" }).click();
    await expect(page.getByRole("row").filter({ hasText: "Cancelled by somebody" })).toContainText("Pending");
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Post-mortem" }).click();
    expect((await download).suggestedFilename()).toBe(`post-mortem-${id}.json`);
  });

  test("a pipeline, a stage and everything are paused and resumed after a question, and say so", async ({ page, api }) => {
    const name = unique("paused");
    await put(api, name);
    await page.goto(`/pipelines/${name}`);
    const row = page.getByRole("row").filter({ hasText: "nobody.write" });
    await confirm(page, `Pause stage write of ${name}`, "Pause");
    await expect(row).toContainText("Paused");
    await confirm(page, `Pause ${name}`, "Pause");
    await expect(mark(page, "Paused")).toBeVisible();
    await look(page, "pipeline-paused");
    await page.goto(`/pipelines?q=${name}`);
    try {
      await confirm(page, "Pause all pipelines", "Pause");
      await expect(page.getByText(/^All pipelines are paused/)).toBeVisible();
      await look(page, "pipelines-paused");
      await confirm(page, "Resume all pipelines", "Resume");
      await expect(page.getByText(/^All pipelines are paused/)).toBeHidden();
    } finally {
      await api.post("/api/pipelines/resume");
    }
    await confirm(page, `Resume ${name}`, "Resume");
    await expect(page.getByRole("button", { name: `Pause ${name}` })).toBeVisible();
    const { paused, stages } = await (await api.get(`/api/pipelines/${name}`)).json();
    expect([paused, ...stages.map((each: { paused: boolean }) => each.paused)]).toEqual([false, false, true]);
  });

  test("a definition is refused by its field, not written over that of somebody else, and kept as a version", async ({ page, api }) => {
    const name = unique("edited");
    await put(api, name);
    await page.goto(`/pipelines/${name}/edit`);
    // Until the editor is there, its text is in another field.
    const editor = page.locator(".cm-content");
    await expect(editor).toContainText("nobody.plan");
    const write = async (text: string): Promise<void> => {
      await editor.click();
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText(text);
    };
    await write("stages:\n  - name: plan\n    handler: nobody.plan\n    maxAttempts: 0\n");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("alert")).toContainText("stages[0].maxAttempts");
    await look(page, "pipeline-refused");
    await api.put(`/api/pipelines/${name}`, { data: { description: "Theirs", stages: [stage("plan")] } });
    await write("stages:\n  - name: mine\n    handler: nobody.mine\n");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("alert")).toContainText("someone else has changed this in the meantime");
    await look(page, "pipeline-conflict");
    await page.getByRole("button", { name: "Drop my changes and load theirs" }).click();
    await expect(editor).toContainText("Theirs");
    await write("description: Both\nstages:\n  - name: mine\n    handler: nobody.mine\n");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(mark(page, "Version 3")).toBeVisible();
    await page.getByRole("tab", { name: "Versions" }).click();
    await page.getByRole("button", { name: "Show version 1" }).click();
    await expect(page.getByRole("dialog")).toContainText("nobody.write");
    await look(page, "pipeline-version");
  });

  test("a failed task shows what its handler wrote", { tag: "@must-first" }, async ({ page, api }) => {
    const targets = [{ targetType: "course", targetId: unique("no-such-course") }];
    const answer = await api.post("/api/pipelines/hydrateAll/runs", { data: { scope: { targets }, options: { chapters: 100_000 } } });
    const { rootJobId } = await answer.json();
    const tasks = async () => (await (await api.get(`/api/pipeline-runs/${rootJobId}/tasks`)).json()).items as { id: string; status: string }[];
    await expect.poll(async () => (await tasks()).map((task) => task.status)).toEqual(["FAILED"]);
    const [task] = await tasks();
    await page.goto(`/pipeline-runs/${rootJobId}?task=${task?.id}`);
    const drawer = page.getByRole("dialog");
    await expect(drawer.getByRole("log")).toContainText("FailForGoodException");
    await expect(drawer.getByText("complete")).toBeVisible();
    await drawer.getByRole("log").scrollIntoViewIfNeeded();
    await look(page, "pipeline-task-log");
  });

  test("what does not exist is said, and the pages are there in Chinese", async ({ page, api }) => {
    await page.goto("/pipelines/no-such-pipeline");
    await expect(page.getByRole("alert")).toContainText("This does not exist, or no longer");
    await page.goto("/outbox");
    await expect(page.getByText("Nothing is parked")).toBeVisible();
    await look(page, "outbox");
    const name = unique("chinese");
    await put(api, name);
    const id = await start(api, name);
    await page.addInitScript(() => localStorage.setItem("orth.preferences", '{"language":"zh","theme":"dark"}'));
    await page.goto("/pipelines");
    await expect(page.getByRole("heading", { name: "流水线", level: 1 })).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: name })).toContainText("plan");
    await look(page, "pipelines-zh-dark");
    await page.goto(`/pipeline-runs/${id}`);
    await expect(page.getByRole("tab", { name: "执行日志" })).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: "course algebra" })).toContainText("等待中");
    await look(page, "pipeline-run-zh-dark");
    await page.goto("/outbox");
    await expect(page.getByRole("heading", { name: "发件箱", level: 1 })).toBeVisible();
    await look(page, "outbox-zh-dark");
  });
});
