import type { Page } from "@playwright/test";
import { choose, correct, expect, logIn, loggedOut, look, test, unique } from "./fixtures";
import { credentials } from "./installation";

const queue = "sample-emails";

/** Pushes a message from the queue's page; the console then shows that message. Gives back its id. */
async function push(page: Page, payload: string, attempts?: number): Promise<string> {
  await page.goto(`/queues/${queue}`);
  await page.getByRole("button", { name: `Push message into ${queue}` }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Payload").fill(payload);
  if (attempts !== undefined) {
    await dialog.getByLabel("Max attempts").fill(String(attempts));
  }
  await dialog.getByRole("button", { name: "Push", exact: true }).click();
  await expect(page).toHaveURL(/\/messages\/\d+$/);
  return page.url().split("/").at(-1) ?? "";
}

const status = (page: Page, word: string) => page.locator(".page-header").getByText(word, { exact: true });

test.describe("queues", { tag: ["@console", "@must-queues"] }, () => {
  test.describe("from the login on", () => {
    test.use(loggedOut);

    test("a message is pushed and done", async ({ page }) => {
      const { user, password } = credentials();
      await logIn(page, user, password);
      await page.getByRole("link", { name: "Queues" }).click();
      await expect(page.getByRole("heading", { name: "Queues", level: 1 })).toBeVisible();
      await page.getByRole("button", { name: "Push message", exact: true }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Queue").fill(queue);
      await dialog.getByLabel("Payload").fill('{"to":"ann","count":12345678901234567890}');
      await expect(dialog.getByText("This is JSON.")).toBeVisible();
      await dialog.getByRole("button", { name: "Add metadata" }).click();
      await dialog.getByLabel("Metadata name").fill("tenant");
      await dialog.getByLabel("Metadata value").fill("acme");
      await look(page, "queues-push");
      await dialog.getByRole("button", { name: "Push", exact: true }).click();
      await expect(status(page, "Done")).toBeVisible();
      await expect(page.getByRole("region", { name: "Result" })).toContainText("sent");
      await expect(page.getByRole("region", { name: "Payload" })).toContainText('"count": 12345678901234567890');
      await expect(page.getByText("tenant=acme")).toBeVisible();
      await look(page, "message-done");
    });
  });

  test("what each attempt at a message wrote is read on its page", { tag: "@must-first" }, async ({ page }) => {
    await push(page, unique("please fail"), 2);
    await expect(status(page, "Dead")).toBeVisible();
    await page.getByRole("tab", { name: "Log" }).click();
    const log = page.getByRole("log");
    await expect(log).toContainText("the mail server said no");
    await expect(page.getByText("complete")).toBeVisible();
    await look(page, "message-log");
    const last = await log.getAttribute("aria-label");

    await page.getByRole("tab", { name: "Failed attempts 2" }).click();
    await page.getByRole("row").filter({ hasText: "the mail server said no" }).first().getByRole("link", { name: /^Log \d+/ }).click();
    await expect(page).toHaveURL(/tab=log&log=\d+/);
    await expect(log).toContainText("the mail server said no");
    await expect(page.locator(".attempt-select")).toContainText("Attempt 1, failed");
    await expect(log).not.toHaveAttribute("aria-label", last ?? "");
    await choose(page, "Attempt", "Attempt 2, failed");
    await expect(log).toHaveAttribute("aria-label", last ?? "");
  });

  test("a message that fails is given up with its error, retried with another payload, and done", async ({ page }) => {
    const letter = unique("please fail");
    const id = await push(page, letter, 1);
    await expect(status(page, "Dead")).toBeVisible();
    await expect(page.getByText("Last attempt failed")).toBeVisible();
    await expect(page.getByRole("region", { name: "Error" })).toContainText("the mail server said no");
    await expect(page.getByRole("region", { name: "Error" })).toContainText("SampleHandlers");
    await look(page, "message-dead");
    await page.getByRole("tab", { name: "Failed attempts 1" }).click();
    const attempt = page.getByRole("row").filter({ hasText: "the mail server said no" });
    await expect(attempt).toContainText("500");
    await expect(attempt).toContainText("http://");
    await look(page, "message-attempts");

    await page.goto(`/queues/${queue}?status=DEAD`);
    const row = page.getByRole("row").filter({ hasText: letter });
    await expect(row).toContainText("the mail server said no");
    await look(page, "queue-dead");
    await row.getByRole("link", { name: `#${id}` }).click();

    await page.getByRole("button", { name: "Retry" }).click();
    const dialog = page.getByRole("dialog");
    // While the dialog still opens, a click may miss.
    await expect(() => dialog.getByLabel("Edit the payload").check({ timeout: 2_000 })).toPass();
    await dialog.getByRole("textbox", { name: "Payload" }).fill("please send");
    await look(page, "message-retry");
    await dialog.getByRole("button", { name: "Retry" }).click();
    await expect(status(page, "Done")).toBeVisible();
    await expect(page.getByRole("region", { name: "Payload" })).toContainText("please send");
    await expect(page.getByRole("button", { name: "Retry" })).toBeHidden();

    await page.getByRole("tab", { name: "Timeline" }).click();
    await expect(page.getByRole("row").filter({ hasText: "Retried by somebody" })).toContainText("Waiting");
    await expect(page.getByRole("row").filter({ hasText: "Done by its handler" })).toContainText("Done");
    await expect(page.getByRole("region", { name: "Time in each state" })).toContainText(/Dead\s*[\d.]+ m?s/);
    await look(page, "message-timeline");
  });

  test("a paused queue keeps its messages until it is resumed, and says so", async ({ page, api }) => {
    await push(page, "first");
    await page.goto("/queues?q=sample");
    const row = page.getByRole("row").filter({ hasText: queue });
    await expect(row).toContainText("samples");
    await row.getByRole("button", { name: `Pause ${queue}` }).click();
    await expect(row).toContainText("Paused");
    try {
      await look(page, "queues");
      const id = await push(page, "patience");
      await page.goto(`/queues/${queue}`);
      await expect(page.getByRole("tab", { name: /^Waiting [1-9]/ })).toBeVisible();
      await expect(page.getByRole("row").filter({ hasText: id })).toContainText("patience");
      await look(page, "queue-waiting");
      await page.getByRole("button", { name: `Resume ${queue}` }).click();
      await expect(page.getByRole("row").filter({ hasText: id })).toHaveCount(0);
      await page.getByRole("tab", { name: "Done" }).click();
      await expect(page).toHaveURL(/status=DONE/);
      await expect(page.getByRole("row").filter({ hasText: id })).toContainText("sent");
    } finally {
      await api.post(`/api/queues/${queue}/resume`);
    }
  });

  test("several dead ones are retried or discarded together, and the question says how many", async ({ page, api }) => {
    const word = unique("fail");
    const messages = [1, 2, 3].map((number) => ({ payload: `${word} ${number}`, maxAttempts: 1 }));
    expect((await api.post(`/api/queues/${queue}/messages/bulk`, { data: { messages } })).status()).toBe(201);
    await page.goto(`/queues/${queue}?status=DEAD`);
    const rows = page.getByRole("row").filter({ hasText: word });
    await expect(rows).toHaveCount(3);
    await rows.nth(0).getByRole("checkbox").check();
    await rows.nth(1).getByRole("checkbox").check();
    await expect(page.getByRole("button", { name: /Select all \d+ of the same kind/ })).toBeVisible();
    await look(page, "queue-dead-selected");
    await page.getByRole("button", { name: "Discard 2 messages" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("Discard 2 messages?");
    await look(page, "queue-dead-confirm");
    await dialog.getByRole("button", { name: "Discard" }).click();
    await expect(page.getByText("2 messages discarded")).toBeVisible();
    await expect(rows).toHaveCount(1);
    await rows.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Retry 1 message" }).click();
    await dialog.getByRole("button", { name: "Retry" }).click();
    await expect(page.getByText("1 message waits for its next attempt")).toBeVisible();
    await page.getByRole("tab", { name: "Discarded" }).click();
    await expect(rows).toHaveCount(2);
  });

  test("settings are saved, refused at their field, and not written over those of somebody else", async ({ page, api }) => {
    const name = unique("set-up");
    await api.put(`/api/queues/${name}`, { data: {} });
    await page.goto(`/queues/${name}`);
    await page.getByRole("button", { name: `Settings of ${name}` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Initial retry delay (seconds)").fill("60");
    await dialog.getByLabel("Max retry delay (seconds)").fill("5");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.locator(".ant-form-item-explain-error")).toContainText("Must be between backoff.initialDelay and P30D");
    await correct(dialog, "Max retry delay (seconds)", "90");
    await api.put(`/api/queues/${name}`, { data: { concurrencyLimit: 7 } });
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(dialog.getByRole("alert").filter({ hasText: "someone else has changed this in the meantime" })).toBeVisible();
    await look(page, "queue-settings-conflict");
    await dialog.getByRole("button", { name: "Drop my changes and load theirs" }).click();
    await expect(dialog.getByLabel("Most at once")).toHaveValue("7");
    await dialog.getByLabel("Most begun per second").fill("50");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(`Settings of ${name} saved`)).toBeVisible();
    expect(await (await api.get(`/api/queues/${name}`)).json()).toMatchObject({ rateLimit: 50, concurrencyLimit: 7 });
    await look(page, "queue-settings");
  });

  test("an attempt that takes too long is killed, and counts as failed", async ({ page }) => {
    await push(page, unique("slow"), 1);
    await expect(status(page, "Running")).toBeVisible();
    await page.getByRole("button", { name: "Kill" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Reason").fill("the mail server hangs");
    await look(page, "message-kill");
    await dialog.getByRole("button", { name: "Kill" }).click();
    await expect(status(page, "Dead")).toBeVisible();
    await expect(page.getByRole("region", { name: "Error" })).toContainText("the mail server hangs");
  });

  test("a queue is deleted when it is empty, and not before", async ({ page, api }) => {
    const name = unique("to-delete");
    await api.post(`/api/queues/${name}/messages`, { data: { payload: "still here" } });
    await page.goto(`/queues/${name}`);
    await page.getByRole("button", { name: `Delete ${name}` }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText(`Delete the queue ${name}?`);
    await look(page, "queue-delete");
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await expect(page.getByText(`queue ${name} has messages`)).toBeVisible();
    await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();

    const waiting = await (await api.get(`/api/queues/${name}/messages?status=WAITING`)).json();
    await api.post(`/api/queues/${name}/messages/${waiting.items[0].id}/discard`);
    await page.goto(`/queues/${name}`);
    await page.getByRole("button", { name: `Delete ${name}` }).click();
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await expect(page).toHaveURL(/\/queues$/);
    await expect(page.getByText(`${name} is deleted`)).toBeVisible();
    expect((await api.get(`/api/queues/${name}`)).status()).toBe(404);
  });

  test("what does not exist is said, and the pages are there in Chinese", async ({ page, api }) => {
    await page.goto("/queues/no-such-queue");
    await expect(page.getByRole("alert")).toContainText("This does not exist, or no longer");
    await page.goto(`/queues/${queue}/messages/1`);
    await expect(page.getByRole("alert")).toContainText("This does not exist, or no longer");
    await page.addInitScript(() => localStorage.setItem("orth.preferences", '{"language":"zh","theme":"dark"}'));
    await page.goto("/queues");
    await expect(page.getByRole("heading", { name: "队列", level: 1 })).toBeVisible();
    await expect(page).toHaveTitle("队列 · Orth");
    await look(page, "queues-zh-dark");
    await page.goto(`/queues/${queue}?status=DONE`);
    await expect(page.getByRole("tab", { name: "已完成" })).toBeVisible();
    await look(page, "queue-zh-dark");
    const { id } = await (await api.post(`/api/queues/${queue}/messages`, { data: { payload: "please fail", maxAttempts: 1 } })).json();
    await page.goto(`/queues/${queue}/messages/${id}`);
    await expect(page.getByRole("heading", { name: `消息 ${id}`, level: 1 })).toBeVisible();
    await expect(page).toHaveTitle(`消息 ${id} · Orth`);
    await expect(status(page, "已放弃")).toBeVisible();
    await look(page, "message-zh-dark");
  });
});
