import { choose, expect, look, makeJob, runJob, test, unique } from "./fixtures";

test.describe("the system log", { tag: ["@console", "@must-queues"] }, () => {
  test("lines appear as they happen, and stand still while paused", async ({ page, api }) => {
    await page.goto("/jobs");
    await page.getByRole("link", { name: "System log" }).click();
    await expect(page.getByRole("heading", { name: "System log", level: 1 })).toBeVisible();
    const main = page.getByRole("main");
    await expect(main.getByText("live", { exact: true })).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: /admin .* starts, version/ }).first()).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: /executor at http.* registered/ }).first()).toBeVisible();

    const killed = await kill(api);
    const line = page.getByRole("row").filter({ hasText: `killed run ${killed}` });
    await expect(line).toContainText("Warning");
    await look(page, "system-log");

    await page.getByRole("button", { name: "Pause" }).click();
    await expect(main.getByText("paused", { exact: true })).toBeVisible();
    const later = await kill(api);
    await expect.poll(async () => JSON.stringify(await (await api.get("/api/logs")).json())).toContain(`killed run ${later}`);
    await expect(page.getByRole("row").filter({ hasText: `killed run ${later}` })).toHaveCount(0);
    await page.getByRole("button", { name: "Resume" }).click();
    await expect(page.getByRole("row").filter({ hasText: `killed run ${later}` })).toHaveCount(1);
    await expect(line).toHaveCount(1);
  });

  test("the archive is searched by filters in the address", async ({ page, api }) => {
    const killed = await kill(api);
    await page.goto("/system-log");
    await page.getByRole("link", { name: "Search the archive" }).click();
    await expect(page.getByRole("heading", { name: "System log: archive", level: 1 })).toBeVisible();
    await page.getByRole("textbox", { name: "Message" }).fill(`KILLED RUN ${killed}`);
    await expect(page).toHaveURL(/message=KILLED/);
    const rows = page.getByRole("row");
    await expect(async () => {
      await page.reload();
      await expect(rows).toHaveCount(2, { timeout: 2_000 });
    }).toPass();
    await expect(rows.nth(1)).toContainText(`killed run ${killed}`);
    await choose(page, "Level", "Error");
    await expect(page.getByText("Nothing matches these filters")).toBeVisible();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(page).toHaveURL(/\/system-log\/archive$/);
    await expect(rows.nth(2)).toBeVisible();

    await page.getByRole("row").filter({ hasText: /executor at http.* registered/ }).first().getByRole("link").click();
    await expect(page).toHaveURL(/worker_id=/);
    await expect(page.getByRole("textbox", { name: "Executor instance" })).not.toHaveValue("");
    await expect(rows.filter({ hasText: "admin" }).filter({ hasText: "starts" })).toHaveCount(0);
    await look(page, "system-log-archive");

    await page.goto("/system-log/archive?message=%25%25%25&from=-1h");
    await expect(page.getByText("Nothing matches these filters")).toBeVisible();
  });

  test("what cannot be searched says why", async ({ page }) => {
    await page.goto("/system-log/archive?level=NONSENSE");
    await expect(page.getByRole("alert")).toContainText("level must be one of");
    await look(page, "system-log-refused");
  });

  test("both pages are there in Chinese", async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem("orth.preferences", '{"language":"zh","theme":"dark"}'));
    await page.goto("/system-log");
    await expect(page.getByRole("heading", { name: "系统日志", level: 1 })).toBeVisible();
    await expect(page.getByRole("row").nth(1)).toBeVisible();
    await look(page, "system-log-zh-dark");
    await page.goto("/system-log/archive");
    await expect(page.getByRole("row").nth(1)).toBeVisible();
    await look(page, "system-log-archive-zh-dark");
  });
});

type Api = Parameters<typeof makeJob>[0];

/** Starts a run that takes long and kills it, which the log tells of; returns its id. */
async function kill(api: Api): Promise<string> {
  const id = await makeJob(api, { name: unique("Killed"), handler: "sample.countdown", param: "60" });
  const runId = await runJob(api, id);
  await expect.poll(async () => (await (await api.get(`/api/runs/${runId}`)).json()).status).toBe("PENDING");
  expect((await api.post(`/api/runs/${runId}/kill`, { data: {} })).ok()).toBe(true);
  return runId;
}
