import type { APIRequestContext, Page } from "@playwright/test";
import { fact, operateOnNothing, pushFailing, queue, readOperation, rowsWith, untilDone } from "./deadLetters";
import { expect, look, test, unique } from "./fixtures";

/** A queue that has so many to begin gets no dead letters back until there are fewer. */
const mostReady = 10_000;

/** Pauses the queue and fills it up to one place: what is retried beyond that waits until somebody makes room, however fast the machine is. */
async function leaveRoomForOne(api: APIRequestContext): Promise<void> {
  const open = async (): Promise<number> => {
    const { waiting, running } = await (await api.get(`/api/queues/${queue}`)).json();
    return waiting + running;
  };
  await expect.poll(open, { message: "messages that wait or run" }).toBe(0);
  await api.post(`/api/queues/${queue}/pause`);
  const messages = Array.from({ length: mostReady - 1 }, () => ({ payload: "in the way" }));
  expect((await api.post(`/api/queues/${queue}/messages/bulk`, { data: { messages } })).status()).toBe(201);
}

async function makeRoomForOne(api: APIRequestContext): Promise<void> {
  const first = (await (await api.get(`/api/queues/${queue}/messages?limit=1`)).json()).items[0];
  expect((await api.post(`/api/queues/${queue}/messages/${first.id}/discard`)).status()).toBe(200);
}

/** The queue works again, with nothing in it. */
async function clear(api: APIRequestContext): Promise<void> {
  const purge = await (await api.post(`/api/queues/${queue}/purge`, { data: { confirm: queue } })).json();
  await untilDone(api, purge.id);
  await api.post(`/api/queues/${queue}/resume`);
}

const moves = (page: Page) => page.locator(".page-actions").getByRole("button");

/** Presses a button of the operation's page, and says yes. */
async function move(page: Page, id: string, word: "Pause" | "Resume" | "Abort"): Promise<void> {
  await moves(page).filter({ hasText: word }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(`${word} operation ${id}?`);
  await dialog.getByRole("button", { name: word }).click();
  await expect(dialog).toBeHidden();
}

/** What the operation's page says, while the queue has no room and somebody may still decide. */
async function seeHeld(page: Page, status: "Running" | "Paused", progress: string): Promise<void> {
  await expect(page.locator(".page-header").getByText(status, { exact: true })).toBeVisible();
  await expect(page.locator(".operation-bar")).toContainText(progress);
  await expect(moves(page)).toHaveText(status === "Running" ? ["Pause", "Abort"] : ["Resume", "Abort"]);
  await expect(page.getByText(`Waits: queue ${queue} has enough to do for now`)).toBeVisible({ visible: status === "Running" });
}

test.describe("a bulk operation", { tag: ["@console", "@must-queues"] }, () => {
  test("is paused, resumed, paused again and aborted", async ({ page, api }) => {
    const word = unique("held");
    const since = new Date().toISOString();
    await pushFailing(api, word, 3);
    await page.goto(`/dead-letters?queue=${queue}&from=${since}`);
    await expect(rowsWith(page, word)).toHaveCount(3);
    try {
      await leaveRoomForOne(api);
      await page.getByRole("button", { name: "Retry all that match" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Retry 3 dead letters" }).click();
      await page.getByRole("link", { name: /Open operation \d+/u }).click();
      await expect(page).toHaveURL(/\/operations\/\d+$/u);
      const id = page.url().split("/").at(-1) ?? "";
      await seeHeld(page, "Running", "1 of 3");
      expect(await readOperation(api, id)).toMatchObject({ status: "RUNNING", total: 3, done: 1, heldBy: `queue ${queue}` });
      await look(page, "operation-held");

      await move(page, id, "Pause");
      await seeHeld(page, "Paused", "1 of 3");
      // There is room, and another one that begins now is come to: this one is passed over.
      await makeRoomForOne(api);
      await operateOnNothing(api);
      expect(await readOperation(api, id)).toMatchObject({ status: "PAUSED", done: 1, heldBy: null, finishedAt: null });
      await look(page, "operation-paused");

      await move(page, id, "Resume");
      await seeHeld(page, "Running", "2 of 3");
      expect(await readOperation(api, id)).toMatchObject({ status: "RUNNING", done: 2, heldBy: `queue ${queue}` });

      await move(page, id, "Pause");
      await seeHeld(page, "Paused", "2 of 3");
      expect(await readOperation(api, id)).toMatchObject({ status: "PAUSED", done: 2, finishedAt: null });

      await move(page, id, "Abort");
      await expect(page.locator(".page-header").getByText("Aborted", { exact: true })).toBeVisible();
      await expect(page.locator(".operation-bar")).toContainText("2 of 3");
      await expect(fact(page, "Ended")).toHaveText(/\d/u);
      await expect(moves(page)).toHaveCount(0);
      await look(page, "operation-aborted");
      const end = { status: "ABORTED", total: 3, done: 2, skipped: 0, failed: 0, heldBy: null, finishedAt: expect.any(String) };
      expect(await readOperation(api, id)).toMatchObject(end);
      expect((await api.post(`/api/operations/${id}/resume`)).status()).toBe(409);

      // The one that was not come to stays dead, though there is room for it.
      await makeRoomForOne(api);
      await operateOnNothing(api);
      expect(await readOperation(api, id)).toMatchObject(end);
      await page.goto(`/dead-letters?queue=${queue}&from=${since}`);
      await expect(rowsWith(page, word)).toHaveCount(1);
    } finally {
      await clear(api);
    }
  });
});
