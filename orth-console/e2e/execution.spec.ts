import { choose, expect, look, makeJob, runJob, test, unique } from "./fixtures";

test.describe("how jobs run", { tag: "@console" }, () => {
  test("a run is killed, says that it ends, and then who ended it", async ({ page, api }) => {
    const id = await makeJob(api, { name: unique("Long"), handler: "sample.countdown", param: "1000" });
    const runId = await runJob(api, id);
    await page.goto(`/runs/${runId}`);
    await expect(page.getByRole("log")).toContainText("to go");
    await page.getByRole("button", { name: "Kill" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("wrong day");
    await look(page, "run-kill");
    await dialog.getByRole("button", { name: "Kill" }).click();
    await expect(page.locator(".page-header").getByText("Failed 200/500")).toBeVisible();
    await expect(page.locator(".facts")).toContainText(/killed by \S+: wrong day/);
    await expect(page.locator(".facts").getByText("Killed", { exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "Kill" })).toHaveCount(0);
    await look(page, "run-killed");
  });

  test("a shell script runs on the executor, and is killed with what it started", async ({ page, api }) => {
    const sample = (await (await api.get("/api/jobs?q=Countdown")).json()).items[0];
    const made = await api.post("/api/jobs", {
      data: { name: unique("Shell"), groupId: sample.groupId, glue: { type: "GLUE_SHELL", source: 'echo "begun by $1"\nsleep 600\n' }, param: "Ada" },
    });
    expect(made.status()).toBe(201);
    const runId = await runJob(api, (await made.json()).id);
    await page.goto(`/runs/${runId}`);
    await expect(page.getByRole("log")).toContainText("begun by Ada");
    await expect(page.locator(".facts")).toContainText("Shell, version 1");
    await page.getByRole("button", { name: "Kill" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Kill" }).click();
    await expect(page.locator(".page-header").getByText("Failed 200/500")).toBeVisible();
    await expect(page.locator(".facts")).toContainText(/killed by \S+/);
    await look(page, "run-script-killed");
  });

  test("a job that is busy on any executor skips its next fire", { tag: "@must-kernel" }, async ({ page, api }) => {
    const name = unique("Fetch");
    await page.goto("/jobs/new");
    await page.getByLabel("Name").fill(name);
    await choose(page, "Executor group", "");
    await page.getByRole("textbox", { name: "Handler" }).fill("sample.countdown");
    await page.getByLabel("Parameter").fill("1000");
    await choose(page, "If it is busy", "Discard the new run");
    await choose(page, "Counts as busy", "On all executors together");
    await expect(page.getByText("listed among the skipped fires")).toBeVisible();
    await page.getByText("Only by hand").click();
    await look(page, "job-block-scope");
    await page.getByRole("button", { name: "Create" }).click();
    await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
    await expect(page.locator(".facts")).toContainText("On all executors together");

    const id = new URL(page.url()).pathname.split("/").pop() ?? "";
    const first = await runJob(api, id);
    await expect.poll(async () => (await (await api.get(`/api/runs/${first}`)).json()).status).toBe("PENDING");
    const second = await runJob(api, id);
    await page.goto(`/runs/${second}`);
    await expect(page.locator(".page-header").getByText("Skipped 409/0")).toBeVisible();
    await expect(page.locator(".facts")).toContainText("On all executors together");
    await expect(page.locator(".facts")).toContainText(`run ${first} of the job was not over`);
    await page.goto(`/jobs/${id}`);
    await expect(page.getByText("The job was busy, and its block strategy is to discard")).toBeVisible();
    await look(page, "job-skipped-fire");
    await api.post(`/api/jobs/${id}/kill`);
  });

  test("selected runs, and all of a job, are killed together", async ({ page, api }) => {
    const name = unique("Many");
    const id = await makeJob(api, { name, handler: "sample.countdown", param: "1000" });
    await Promise.all([runJob(api, id), runJob(api, id), runJob(api, id)]);
    await page.goto(`/runs?jobId=${id}`);
    await expect(page.getByRole("row").filter({ hasText: "Pending" })).toHaveCount(3);
    await page.getByRole("checkbox", { name: /^Select run/ }).first().check();
    await page.getByRole("checkbox", { name: /^Select run/ }).nth(1).check();
    await look(page, "runs-selected");
    await page.getByRole("button", { name: "Kill 2 runs" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Kill" }).click();
    await expect(page.getByRole("row").filter({ hasText: "Failed 200/500" })).toHaveCount(2);

    await page.goto(`/jobs/${id}`);
    await page.getByRole("button", { name: "Kill all" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Kill" }).click();
    await expect(page.getByRole("row").filter({ hasText: "Failed 200/500" })).toHaveCount(3);
  });

  test("a job with source is made, changed and brought back to an earlier version", async ({ page }) => {
    const name = unique("Script");
    await page.goto("/jobs/new");
    await page.getByLabel("Name").fill(name);
    await choose(page, "Executor group", "");
    await page.getByText("Source text kept here").click();
    await page.getByRole("textbox", { name: "Source" }).fill("for i in 1 2 3; do\n  echo \"line $i\" # counted\ndone");
    await choose(page, "If it is busy", "Run side by side");
    await page.getByLabel("At once").fill("4");
    await page.getByLabel("Timeout in seconds").fill("90");
    await page.getByText("Only by hand").click();
    await look(page, "job-source-new");
    await page.getByRole("button", { name: "Create" }).click();
    await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
    await expect(page.locator(".facts")).toContainText("Shell, version 1");
    await expect(page.locator(".facts")).toContainText("Run side by side, at most 4");
    await expect(page.locator(".facts")).toContainText("1 m 30 s");
    await look(page, "job-source");

    await page.getByRole("button", { name: `Edit ${name}` }).click();
    await page.getByRole("textbox", { name: "Source" }).fill("echo changed");
    await page.getByLabel("What changed").fill("shorter");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.locator(".facts")).toContainText("Shell, version 2");

    await page.getByRole("button", { name: "Versions" }).click();
    await page.getByRole("button", { name: "Show version 1" }).click();
    const drawer = page.getByRole("dialog");
    await expect(drawer.getByText("+3 −1 lines against the current one")).toBeVisible();
    await look(page, "job-source-versions");
    await drawer.getByRole("button", { name: "Restore" }).click();
    await page.getByRole("dialog").filter({ hasText: "the newest?" }).getByRole("button", { name: "Restore" }).click();
    await expect(page.locator(".facts")).toContainText("Shell, version 3");
    await expect(page.locator(".source-panel")).toContainText("counted");
  });
});
