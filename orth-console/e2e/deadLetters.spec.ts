import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { fact, operateOnNothing, pushFailing, queue, rowsWith } from "./deadLetters";
import { expect, look, makeJob, runJob, test, unique } from "./fixtures";

/** From the dialog that says what has begun to the page of the operation, until it is over. */
async function follow(page: Page): Promise<void> {
  await expect(page.locator(".started-operation").getByText("Done", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: /Open operation \d+/u }).click();
  await expect(page).toHaveURL(/\/operations\/\d+$/u);
  await expect(page.locator(".page-header").getByText("Done", { exact: true })).toBeVisible();
}

async function seeInChinese(page: Page, path: string, title: string, picture: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  await expect(page).toHaveTitle(`${title} · Orth`);
  await expect(page.getByRole("row").nth(1)).toBeVisible();
  await look(page, picture);
}

test.describe("dead letters", { tag: ["@console", "@must-queues"] }, () => {
  test("are found by their error, and all that match are retried, after their number was said", async ({ page, api }) => {
    const word = unique("many");
    const since = new Date().toISOString();
    await pushFailing(api, word, 3);
    await page.goto("/queues");
    await page.getByRole("link", { name: "Dead letters" }).click();
    await expect(page.getByRole("heading", { name: "Dead letters", level: 1 })).toBeVisible();
    await expect(rowsWith(page, word)).toHaveCount(3);
    await look(page, "dead-letters");

    await page.getByRole("tab", { name: "By error" }).click();
    const group = rowsWith(page, queue).filter({ hasText: "the mail server said no" }).first();
    await expect(group).toBeVisible();
    await look(page, "dead-letters-groups");
    await group.getByRole("link", { name: "the mail server said no" }).click();
    await expect(page).toHaveURL(/fingerprint=[0-9a-f]+/u);
    await expect(page).toHaveURL(new RegExp(`queue=${queue}`, "u"));
    await expect(rowsWith(page, word)).toHaveCount(3);
    await page.getByRole("textbox", { name: "Error text" }).fill("MAIL SERVER");
    await expect(page).toHaveURL(/error=MAIL\+SERVER/u);
    await expect(rowsWith(page, word)).toHaveCount(3);
    await page.getByRole("textbox", { name: "Error text" }).fill("no such text");
    await expect(page.getByText("Nothing matches these filters")).toBeVisible();

    // What is retried waits, so that nothing comes back while it is looked at.
    await api.post(`/api/queues/${queue}/pause`);
    try {
      await page.goto(`/dead-letters?queue=${queue}&from=${since}`);
      await expect(rowsWith(page, word)).toHaveCount(3);
      await page.getByRole("button", { name: "Retry all that match" }).click();
      const dialog = page.getByRole("dialog");
      await expect(dialog.getByText("3 dead letters will be retried.")).toBeVisible();
      await dialog.getByLabel("Reason").fill("the mail server is back");
      await look(page, "dead-letters-retry");
      await dialog.getByRole("button", { name: "Retry 3 dead letters" }).click();
      await expect(dialog.getByText(/Operation \d+ has begun/u)).toBeVisible();
      await look(page, "dead-letters-begun");
      await follow(page);
      await expect(fact(page, "Concerned")).toHaveText("3");
      await expect(fact(page, "Done")).toHaveText("3");
      await expect(fact(page, "Reason")).toHaveText("the mail server is back");
      await look(page, "operation-done");

      await page.goto("/operations?status=DONE");
      await expect(rowsWith(page, "the mail server is back").first()).toContainText("3 of 3");
      await look(page, "operations");
      await page.goto(`/dead-letters?queue=${queue}&from=${since}`);
      await expect(page.getByText("Nothing matches these filters")).toBeVisible();

      // What waits now is purged, by its queue's name.
      await page.goto(`/queues/${queue}`);
      await expect(page.getByRole("tab", { name: /^Waiting [1-9]/u })).toBeVisible();
      await page.getByRole("button", { name: `Purge ${queue}` }).click();
      await expect(dialog.getByText(/messages? waits?\./u)).toBeVisible();
      await dialog.getByLabel(`Type ${queue} to confirm`).fill("sample");
      await dialog.getByRole("button", { name: "Purge" }).click();
      await expect(dialog.getByText("This is not the name of the queue")).toBeVisible();
      await look(page, "queue-purge");
      await dialog.getByLabel(`Type ${queue} to confirm`).fill(queue);
      await dialog.getByRole("button", { name: "Purge" }).click();
      await follow(page);
      await expect(fact(page, "Action")).toHaveText("Purge");
      await page.getByRole("link", { name: `What waits in ${queue}` }).click();
      await expect(page.getByRole("tab", { name: "Waiting 0" })).toBeVisible();
    } finally {
      await api.post(`/api/queues/${queue}/resume`);
    }
  });

  test("of messages and runs are exported, and those that are selected discarded", async ({ page, api }) => {
    const name = unique("Fails for good");
    const since = new Date().toISOString();
    const jobId = await makeJob(api, { name, handler: "sample.failing" });
    const runId = await runJob(api, jobId);
    await page.goto(`/dead-letters?kind=RUN&jobId=${jobId}`);
    const row = rowsWith(page, name);
    await expect(async () => {
      await page.reload();
      await expect(row).toHaveCount(1, { timeout: 2_000 });
    }).toPass();
    await expect(row.getByRole("link", { name: `Run #${runId}` })).toHaveAttribute("href", `/runs/${runId}`);
    await look(page, "dead-letters-run");

    const word = unique("few");
    await pushFailing(api, word, 2);
    await page.goto(`/dead-letters?from=${since}`);
    await expect(rowsWith(page, word)).toHaveCount(2);
    const begun = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export" }).click();
    const file = await begun;
    expect(file.suggestedFilename()).toMatch(/\.ndjson$/u);
    const lines = readFileSync(await file.path(), "utf8").trim().split("\n").map((line) => JSON.parse(line) as { id: string; payload: string | null });
    expect(lines.filter((line) => line.id === runId)).toHaveLength(1);
    expect(lines.filter((line) => line.payload?.includes(word))).toHaveLength(2);

    await row.getByRole("checkbox").check();
    await rowsWith(page, word).first().getByRole("checkbox").check();
    await look(page, "dead-letters-selected");
    await page.getByRole("button", { name: "Discard 2 dead letters" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("2 dead letters will be discarded.")).toBeVisible();
    await look(page, "dead-letters-discard");
    await dialog.getByRole("button", { name: "Discard 2 dead letters" }).click();
    await follow(page);
    await expect(fact(page, "Concerns")).toHaveText("2 selected dead letters");
    await page.goto(`/dead-letters?from=${since}`);
    await expect(rowsWith(page, word)).toHaveCount(1);
    await expect(row).toHaveCount(0);
    await page.goto(`/dead-letters?queue=${queue}&from=${since}`);
    await page.getByRole("button", { name: "Discard all that match" }).click();
    await dialog.getByRole("button", { name: "Discard 1 dead letter" }).click();
    await follow(page);
    await page.goto(`/runs/${runId}`);
    await expect(page.locator(".page-header").getByText(/^Failed/u)).toBeVisible();
  });

  test("are led to from their queue, said to be none, and there in Chinese", async ({ page, api }) => {
    await pushFailing(api, unique("one"), 1);
    await page.goto(`/queues/${queue}?status=DEAD`);
    await page.getByRole("link", { name: /among the dead letters/u }).click();
    await expect(page).toHaveURL(new RegExp(`/dead-letters\\?queue=${queue}$`, "u"));
    await page.goto("/operations/999999999");
    await expect(page.getByRole("alert")).toContainText("This does not exist, or no longer");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/dead-letters");
    await expect(rowsWith(page, queue).first()).toBeVisible();
    await look(page, "dead-letters-narrow");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.addInitScript(() => localStorage.setItem("orth.preferences", '{"language":"zh","theme":"dark"}'));
    await seeInChinese(page, "/dead-letters", "死信", "dead-letters-zh-dark");
    await seeInChinese(page, "/dead-letters?view=groups", "死信", "dead-letters-groups-zh-dark");
    await seeInChinese(page, "/operations", "批量操作", "operations-zh-dark");
    const id = await operateOnNothing(api);
    await page.goto(`/operations/${id}`);
    await expect(page.getByRole("heading", { name: `操作 ${id}`, level: 1 })).toBeVisible();
    await expect(page).toHaveTitle(`操作 ${id} · Orth`);
    await expect(page.locator(".page-header").getByText("已完成", { exact: true })).toBeVisible();
    await look(page, "operation-zh-dark");
  });
});
