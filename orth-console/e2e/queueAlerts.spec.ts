import { expect, look, test, unique } from "./fixtures";

test.describe("alerts on queues", { tag: ["@console", "@must-queues"] }, () => {
  test("a rule is made, fires, is seen on the list, recovers and is deleted", async ({ page, api }) => {
    const queue = unique("watched");
    const name = unique("Two wait");
    await api.post(`/api/queues/${queue}/messages/bulk`, { data: { messages: [{ payload: "a" }, { payload: "b" }, { payload: "c" }] } });
    await page.goto("/queues");
    await page.getByRole("link", { name: "Alerts" }).click();
    await expect(page.getByRole("heading", { name: "Queue alerts", level: 1 })).toBeVisible();
    const rules = page.getByRole("region", { name: "Rules" });
    await expect(rules.getByRole("row").filter({ hasText: "No workers" })).toContainText("1 min");

    await page.getByRole("button", { name: "New rule" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByLabel("Messages that wait, at least").fill("");
    await dialog.getByRole("button", { name: "Create" }).click();
    await expect(dialog.getByText("is missing: give it, or oldestSeconds, or both")).toBeVisible();
    // The form moves the focus to the field after it has shown the error.
    await expect(dialog.getByLabel("Messages that wait, at least")).toBeFocused();
    await dialog.getByLabel("Messages that wait, at least").fill("2");
    await look(page, "queue-alert-rule");
    await dialog.getByRole("button", { name: "Create" }).click();
    await expect(dialog).toBeHidden();

    const firing = page.getByRole("region", { name: "Firing now" }).getByRole("row").filter({ hasText: queue }).filter({ hasText: name });
    await expect(firing).toContainText("3 messages wait", { timeout: 30_000 });
    await look(page, "queue-alerts");
    await page.goto(`/queues?q=${queue}`);
    await expect(page.getByRole("row").filter({ hasText: queue }).getByText("Alert")).toBeVisible();
    await look(page, "queues-alert");

    const waiting = await (await api.get(`/api/queues/${queue}/messages`)).json();
    for (const { id } of waiting.items) {
      // One after the other: they are few.
      // oxlint-disable-next-line no-await-in-loop
      await api.post(`/api/queues/${queue}/messages/${id}/discard`);
    }
    await page.goto("/queue-alerts");
    const ended = page.getByRole("region", { name: "What has fired" }).getByRole("row").filter({ hasText: queue }).filter({ hasText: name });
    await expect(ended).toContainText("Recovered", { timeout: 30_000 });

    await page.getByRole("button", { name: `Delete ${name}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(rules.getByText(name)).toBeHidden();
    await expect(ended).toBeVisible();
  });
});
