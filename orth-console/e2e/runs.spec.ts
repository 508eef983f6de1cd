import { readFile } from "node:fs/promises";
import { choose, expect, look, makeJob, runJob, test, unique } from "./fixtures";
import { openLine } from "./line";

test.describe("runs", { tag: "@console" }, () => {
  test("a failing job shows its codes, its stack and its messages, and is found by filter", async ({ page, api }) => {
    const name = unique("Fails");
    const id = await makeJob(api, { name, handler: "sample.failing" });
    const runId = await runJob(api, id);
    await page.goto(`/runs/${runId}`);
    await expect(page.locator(".page-header").getByText("Failed 200/500")).toBeVisible();
    await expect(page.getByRole("log")).toContainText("line 3 looks wrong");
    await expect(page.getByRole("log")).toContainText("IllegalStateException");
    await look(page, "run-failed");

    await page.goto("/runs");
    await choose(page, "Status", "Failed");
    await page.keyboard.press("Escape");
    await choose(page, "Time", "Last hour");
    await expect(page).toHaveURL(/status=FAILED/);
    await expect(page).toHaveURL(/from=-1h/);
    const row = page.getByRole("row").filter({ hasText: name });
    await expect(row).toHaveCount(1);
    await row.getByRole("button", { name: "Failed 200/500" }).click();
    const messages = page.locator(".raw-messages");
    await expect(messages).toContainText("trigger_msg");
    await expect(messages).toContainText("the order list could not be imported");
    await look(page, "runs-popover");
    await page.keyboard.press("Escape");

    await page.goto("/runs?status=TIMEOUT&from=-1h");
    await expect(page.getByText("Nothing matches these filters").or(page.getByRole("row").nth(1))).toBeVisible();
    await expect(row).toHaveCount(0);
    await page.goto(`/runs?jobId=${id}`);
    await expect(row).toHaveCount(1);
  });

  test("those of several statuses are in one list", { tag: "@must-first" }, async ({ page, api }) => {
    const [fails, nowhere, well] = await Promise.all([
      makeJob(api, { name: unique("Several-failed"), handler: "sample.failing" }),
      makeJob(api, { name: unique("Several-nowhere"), handler: "no.such.handler" }),
      makeJob(api, { name: unique("Several-well"), handler: "sample.heartbeat" }),
    ]);
    const [failed, refused, done] = await Promise.all([runJob(api, fails), runJob(api, nowhere), runJob(api, well)]);
    await page.goto("/runs?from=-1h");
    await expect(page.getByRole("link", { name: `#${done}` })).toBeVisible();
    await choose(page, "Status", "Failed");
    await choose(page, "Status", "Trigger Failed");
    await page.keyboard.press("Escape");
    await expect(page).toHaveURL(/status=FAILED%2CTRIGGER_FAILED/);
    await expect(page.getByRole("link", { name: `#${failed}` })).toBeVisible();
    await expect(page.getByRole("link", { name: `#${refused}` })).toBeVisible();
    await expect(page.getByRole("link", { name: `#${done}` })).toHaveCount(0);
    await expect(page.getByRole("row").filter({ hasText: "Success" })).toHaveCount(0);
    await look(page, "runs-several-statuses");
    await page.reload();
    await expect(page.getByRole("link", { name: `#${failed}` })).toBeVisible();
    await page.locator(".filter-multiple").hover();
    await page.locator(".filter-multiple .ant-select-clear").click();
    await expect(page.getByRole("link", { name: `#${done}` })).toBeVisible();
  });

  test("the zones of times are written on the page and on the log", { tag: "@must-first" }, async ({ page, api }) => {
    const id = await makeJob(api, { name: unique("Zones"), handler: "sample.countdown", param: "1" });
    await page.goto(`/runs/${await runJob(api, id)}`);
    await expect(page.getByRole("log")).toContainText("lift-off");
    await expect(page.getByRole("banner").getByText(/^Europe\/Berlin UTC\+[12]$/)).toBeVisible();
    const clock = page.getByText(/^line times: executor’s clock, [A-Z][\w/+-]+$/);
    await clock.hover();
    const hint = page.getByRole("tooltip").filter({ hasText: /in the executor’s time zone [A-Z][\w/+-]+\. Other times on this page are in Europe\/Berlin UTC\+/ });
    await expect(hint).toBeVisible();
    const [place, at] = await Promise.all([hint.boundingBox(), clock.boundingBox()]);
    expect(Math.abs((place?.x ?? 0) - (at?.x ?? 0))).toBeLessThan(200);
    await look(page, "run-zones");
  });

  test("new ones appear in the open list by themselves", async ({ page, api }) => {
    const name = unique("Appears");
    const id = await makeJob(api, { name, handler: "sample.heartbeat" });
    await page.goto(`/runs?jobId=${id}`);
    await expect(page.getByText("Nothing matches these filters")).toBeVisible();
    await runJob(api, id);
    await expect(page.getByText("Success 200/200")).toBeVisible();
  });

  test("the log follows its end until someone scrolls up, and goes on from there when the connection broke", async ({ page, api, baseURL }) => {
    const line = await openLine(baseURL ?? "");
    const id = await makeJob(api, { name: unique("Long"), handler: "sample.countdown", param: "60" });
    const runId = await runJob(api, id);
    await page.setViewportSize({ width: 1280, height: 620 });
    await page.goto(`${line.url}/runs/${runId}`);
    const log = page.getByRole("log");
    await expect(log).toContainText("40 to go", { timeout: 40_000 });
    const progress = page.getByRole("progressbar", { name: "Progress of the run" });
    await expect(progress).toHaveAttribute("aria-valuenow", /^(3[3-9]|[4-9]\d)$/);
    await log.evaluate((element) => element.scrollTo(0, 0));
    const jump = page.getByRole("button", { name: /new line|Follow/ });
    await expect(jump).toContainText("new line");
    await expect(log).toContainText("60 to go");

    line.cut();
    await expect(page.getByText("reconnecting…")).toBeVisible();
    await expect(page.getByText(/reconnecting · data from/)).toBeVisible();
    line.mend();
    await expect(page.getByText("Success 200/200")).toBeVisible({ timeout: 60_000 });
    await expect(progress).toBeHidden();
    await jump.click();
    await expect(log).toContainText("lift-off");

    await expect(page.getByText("61 lines")).toBeVisible();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
    const text = await readFile(await download.path(), "utf8");
    const counted = [...text.matchAll(/(\d+) to go/g)].map((match) => Number(match[1]));
    expect(counted).toEqual(Array.from({ length: 60 }, (_, index) => 60 - index));
    line.close();
  });
});
