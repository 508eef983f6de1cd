import type { Page } from "@playwright/test";
import { expect, look, makeJob, runJob, test, unique } from "./fixtures";
import { openLine } from "./line";

const rowOf = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text }).first();
const linesOf = (page: Page) => page.locator(".log-toolbar").getByText(/\d+ lines?/);
const liveIn = (page: Page) => page.getByRole("main").getByText("live", { exact: true });

test.describe("live pages", { tag: ["@console", "@must-first"] }, () => {
  test("eight stay live in one browser, and a ninth page loads and navigates", async ({ page, context, api }) => {
    const id = await makeJob(api, { name: unique("Tabs"), handler: "sample.countdown", param: "900" });
    const others = await Promise.all(["a", "b"].map((each) => makeJob(api, { name: unique(`Tabs-${each}`), handler: "sample.countdown", param: "900" })));
    const runs = await Promise.all([id, ...others].map((each) => runJob(api, each)));
    const addresses = ["/events", "/system-log", "/events?kind=RUN", "/system-log", `/events?jobId=${id}`, ...runs.map((run) => `/runs/${run}`)];
    const tabs = await Promise.all(addresses.map(() => context.newPage()));
    await Promise.all(tabs.map((tab, index) => tab.goto(addresses[index] ?? "")));
    await Promise.all(tabs.map((tab) => expect(liveIn(tab)).toBeVisible()));

    await page.goto("/jobs", { timeout: 20_000 });
    await expect(page.getByRole("link", { name: "Countdown", exact: true })).toBeVisible();
    await page.locator('nav a[href="/queues"]').click();
    await expect(page.getByRole("heading", { name: "Queues", level: 1 })).toBeVisible({ timeout: 10_000 });
    await expect(page.locator(".freshness")).toHaveText("live");

    // Something new for each kind of page arrives on all of them.
    const logs = tabs.slice(5);
    const before = await Promise.all(logs.map((tab) => linesOf(tab).textContent()));
    const quick = await makeJob(api, { name: unique("Quick"), handler: "sample.countdown", param: "60" });
    const killed = await runJob(api, quick);
    await expect.poll(async () => (await (await api.get(`/api/runs/${killed}`)).json()).status).toBe("PENDING");
    expect((await api.post(`/api/runs/${killed}/kill`, { data: {} })).ok()).toBe(true);
    await Promise.all(tabs.slice(0, 4).map((tab) => expect(rowOf(tab, killed)).toBeVisible()));
    await Promise.all(logs.map((tab, index) => expect(linesOf(tab)).not.toHaveText(before[index] ?? "")));
    await Promise.all(tabs.map((tab) => expect(liveIn(tab)).toBeVisible()));

    // When a tab is closed, the others still get theirs.
    const [first, , other] = tabs as [Page, Page, Page];
    await first.close();
    const next = await runJob(api, quick);
    await expect(rowOf(other, next)).toBeVisible();
    await Promise.all([...runs, next].map((run) => api.post(`/api/runs/${run}/kill`, { data: {} })));
  });

  test("a server that stands still makes the data old, not live", async ({ page, baseURL }) => {
    const line = await openLine(baseURL ?? "");
    await page.goto(`${line.url}/system-log`);
    const mark = page.locator(".freshness");
    await expect(mark).toHaveText("live");
    await expect(liveIn(page)).toBeVisible();
    line.freeze();
    await expect(mark).toHaveText(/(not current|reconnecting) · data from \d\d:\d\d:\d\d/);
    await expect(mark).toHaveAttribute("data-live", "false");
    await look(page, "not-current");
    await expect(page.getByRole("main").getByText("reconnecting…")).toBeVisible({ timeout: 60_000 });
    line.thaw();
    await expect(mark).toHaveText("live", { timeout: 60_000 });
    await expect(liveIn(page)).toBeVisible({ timeout: 60_000 });
    line.close();
  });

  test("a browser without shared workers follows its streams too", async ({ page, api }) => {
    await page.addInitScript(() => {
      Reflect.deleteProperty(globalThis, "SharedWorker");
    });
    const id = await makeJob(api, { name: unique("Alone"), handler: "sample.countdown", param: "3" });
    await page.goto(`/events?jobId=${id}`);
    await expect(liveIn(page)).toBeVisible();
    const runId = await runJob(api, id);
    await expect(page.getByRole("row").filter({ hasText: runId }).filter({ hasText: "Success" })).toBeVisible();
    await page.goto(`/runs/${runId}`);
    await expect(page.getByRole("log")).toContainText("lift-off");
    await expect(page.getByText("complete")).toBeVisible();
  });
});
