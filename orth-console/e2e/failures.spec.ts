import { choose, expect, look, makeJob, runJob, test, unique } from "./fixtures";

test.describe("failures", { tag: "@console" }, () => {
  test("a failed run is tried again, and the attempts are linked", async ({ page, api }) => {
    const name = unique("Retried");
    const id = await makeJob(api, { name, handler: "sample.failing" });
    await page.goto(`/jobs/${id}/edit`);
    await page.getByLabel("Max attempts").fill("2");
    await page.getByLabel("Initial retry delay (seconds)").fill("1");
    await look(page, "job-after-run");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("1\u00A0s, × 2 per attempt, max 1\u00A0h")).toBeVisible();

    const run = await runJob(api, id);
    await page.goto(`/runs/${run}`);
    await expect(page.getByText("Attempt 2")).toBeVisible();
    await expect(page.getByText("this run")).toBeVisible();
    await look(page, "run-attempts");
    await page.getByText("Attempt 2").locator("..").getByRole("link").click();
    await expect(page.getByText("Retry · 2 of 2", { exact: true })).toBeVisible();
    await expect(page.getByText("none needed").or(page.getByText("not decided yet"))).toBeVisible();
  });

  test("a success fires the jobs that follow, and a cycle is refused by name", async ({ page, api }) => {
    const first = unique("First");
    const second = unique("Second");
    const parent = await makeJob(api, { name: first, handler: "sample.heartbeat" });
    const child = await makeJob(api, { name: second, handler: "sample.heartbeat" });
    await page.goto(`/jobs/${parent}/edit`);
    await page.getByRole("button", { name: "Add a job" }).click();
    await page.getByRole("combobox", { name: "Job" }).fill(second);
    await page.locator(".ant-select-dropdown:visible .ant-select-item-option", { hasText: second }).click();
    await choose(page, "Parameter it gets", "this job's result message");
    await look(page, "job-children");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("link", { name: second })).toBeVisible();

    const run = await runJob(api, parent);
    await page.goto(`/runs/${run}`);
    await expect(page.getByRole("link", { name: second })).toBeVisible();
    await look(page, "run-children");

    await page.goto(`/jobs/${child}/edit`);
    await page.getByRole("button", { name: "Add a job" }).click();
    await page.getByRole("combobox", { name: "Job" }).fill(first);
    await page.locator(".ant-select-dropdown:visible .ant-select-item-option", { hasText: first }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("alert").getByText(`${second} (${child}) → ${first} (${parent})`)).toBeVisible();
  });

  test("a channel is made, shown without its secret, tested and deleted", async ({ page }) => {
    const name = unique("Channel");
    await page.goto("/alarms");
    await page.getByRole("button", { name: "New channel" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill(name);
    await choose(page, "Kind", "Slack");
    await dialog.getByLabel("Address of the webhook").fill("http://127.0.0.1:9/s3cret");
    await look(page, "alarm-channel");
    await dialog.getByRole("button", { name: "Create" }).click();
    await expect(page.getByRole("cell", { name: "http://127.0.0.1:9/…" })).toBeVisible();
    await expect(page.getByText("s3cret")).toHaveCount(0);

    await page.getByRole("button", { name: `Send a test to ${name}` }).click();
    await expect(page.getByRole("alert").getByText("orth.alarm.allowed-networks")).toBeVisible();
    await look(page, "alarms");
    await page.getByRole("button", { name: `Delete ${name}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(page.getByRole("cell", { name })).toHaveCount(0);
  });
});
