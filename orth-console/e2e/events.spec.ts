import { choose, expect, look, makeJob, runJob, test, unique } from "./fixtures";

test.describe("events and duties", { tag: ["@console", "@must-transitions"] }, () => {
  test("changes arrive as they happen, are filtered, paused, and lead to the run's timeline", async ({ page, api }) => {
    const name = unique("Watched");
    const id = await makeJob(api, { name, handler: "sample.countdown", param: "1" });
    await page.goto("/events");
    await expect(page.getByRole("heading", { name: "Events", level: 1 })).toBeVisible();
    const main = page.getByRole("main");
    await expect(main.getByText("live", { exact: true })).toBeVisible();

    const runId = await runJob(api, id);
    const rows = page.getByRole("row").filter({ hasText: runId });
    await expect(rows.filter({ hasText: "Result reported" })).toContainText("Success");
    await expect(rows).toHaveCount(3);
    await look(page, "events");

    await choose(page, "Kind", "Job");
    await expect(page).toHaveURL(/kind=JOB/);
    await expect(rows).toHaveCount(0);
    await expect(page.getByRole("row").filter({ hasText: name })).toContainText("Created");
    await page.goto(`/events?jobId=${id}&kind=RUN`);
    await expect(rows).toHaveCount(3);
    await expect(page.getByRole("row")).toHaveCount(4);

    await page.getByRole("button", { name: "Pause" }).click();
    await expect(main.getByText("paused", { exact: true })).toBeVisible();
    const later = await runJob(api, id);
    await expect.poll(async () => (await (await api.get(`/api/runs/${later}`)).json()).status).toBe("SUCCESS");
    await expect(page.getByRole("row")).toHaveCount(4);
    await page.getByRole("button", { name: "Resume" }).click();
    await expect(page.getByRole("row")).toHaveCount(7);

    await page.getByRole("textbox", { name: "Began with run" }).fill(later);
    await expect(page).toHaveURL(new RegExp(`rootId=${later}`));
    await expect(page.getByRole("row")).toHaveCount(4);

    await page.getByRole("link", { name: `Run #${later}` }).first().click();
    await expect(page.getByRole("region", { name: "Time in each state" })).toContainText(/Pending\s*[\d.]+ m?s/);
    const sent = page.getByRole("row").filter({ hasText: "Accepted by the executor" });
    await expect(sent).toContainText("http://");
    await expect(sent).toContainText("process");
    await expect(sent).toContainText("thread orth-");
    await look(page, "run-timeline-states");
  });

  test("what cannot be watched says why", async ({ page }) => {
    await page.goto("/events?kind=NONSENSE");
    await expect(page.getByRole("alert")).toContainText("kind must be one of");
    await page.goto("/events?jobId=2147483647");
    await expect(page.getByText("None of the last 1,000 changes.")).toBeVisible();
    await look(page, "events-empty");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect(page.getByRole("row").nth(1)).toBeVisible();
  });

  test("duties say who holds them and how those do that are told", async ({ page, api }) => {
    const { node } = await (await api.get("/api/system")).json();
    await page.goto("/duties");
    const sink = page.getByRole("region", { name: "Who is told of changes" }).getByRole("row").filter({ hasText: "file" });
    await expect(sink).toContainText("Up to date");
    const relay = page.getByRole("row").filter({ hasText: "transition-relay" });
    await expect(relay).toContainText(node);
    await expect(relay).toContainText("answers here");
    await expect(page.getByRole("region", { name: "Admins" }).getByRole("row").filter({ hasText: node })).toBeVisible();
    await look(page, "duties");
  });

  test("both pages are there in Chinese", async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem("orth.preferences", '{"language":"zh","theme":"dark"}'));
    await page.goto("/events");
    await expect(page.getByRole("heading", { name: "事件", level: 1 })).toBeVisible();
    await expect(page.getByRole("row").nth(1)).toBeVisible();
    await look(page, "events-zh-dark");
    await page.goto("/duties");
    await expect(page.getByText("已同步").first()).toBeVisible();
    await look(page, "duties-zh-dark");
  });
});
