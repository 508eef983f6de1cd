import type { APIRequestContext, Page } from "@playwright/test";
import { expect, unique } from "./fixtures";

export const queue = "sample-emails";

/** Messages that are given up at their first attempt. */
export async function pushFailing(api: APIRequestContext, word: string, count: number): Promise<void> {
  const messages = Array.from({ length: count }, (_, number) => ({ payload: `fail ${word} ${number}`, maxAttempts: 1 }));
  expect((await api.post(`/api/queues/${queue}/messages/bulk`, { data: { messages } })).status()).toBe(201);
}

export const rowsWith = (page: Page, text: string) => page.getByRole("row").filter({ hasText: text });
export const fact = (page: Page, name: string) => page.locator(".facts > div").filter({ has: page.locator("dt", { hasText: new RegExp(`^${name}$`, "u") }) }).locator("dd");

export const readOperation = async (api: APIRequestContext, id: string) => (await api.get(`/api/operations/${id}`)).json();

export const untilDone = (api: APIRequestContext, id: string): Promise<void> =>
  expect.poll(async () => (await readOperation(api, id)).status, { message: `operation ${id}` }).toBe("DONE");

/** Goes through an operation that concerns nothing; gives back its id. */
export async function operateOnNothing(api: APIRequestContext): Promise<string> {
  const begun = await api.post("/api/operations", { data: { action: "RETRY", filter: { queue, traceId: unique("nobody") } } });
  expect(begun.status()).toBe(202);
  const { id } = await begun.json();
  await untilDone(api, id);
  return id;
}
