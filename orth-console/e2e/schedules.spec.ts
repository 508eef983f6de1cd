import { choose, expect, look, makeJob, test, unique } from "./fixtures";

test.describe("schedules", { tag: "@console" }, () => {
  test("a fixed delay is made, and its pause is listed among what did not run", async ({ page, api }) => {
    const name = unique("Delayed");
    const id = await makeJob(api, { name, handler: "sample.heartbeat" });
    await page.goto(`/jobs/${id}/edit`);
    await page.getByText("Fixed delay").click();
    await page.getByLabel("Wait after each run").fill("3");
    await choose(page, "Unit of the interval", "hours");
    const preview = page.getByRole("complementary", { name: "Next fires" });
    await expect(preview.getByText("As if runs took no time")).toBeVisible();
    await look(page, "job-fixed-delay");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("3 hours after each run has ended")).toBeVisible();
    await expect(page.getByText("Every planned time became a run")).toBeVisible();

    await page.getByRole("switch", { name: `Pause ${name}` }).click();
    await expect(page.getByText("The job was paused")).toBeVisible();
    await expect(page.getByText("goes on")).toBeVisible();
    await look(page, "job-not-run");
  });

  test("a backfill shows what it would make, and makes it once", async ({ page, api }) => {
    const name = unique("Hourly");
    const id = await makeJob(api, { name, handler: "sample.heartbeat" });
    const job = await (await api.get(`/api/jobs/${id}`)).json();
    const schedule = { type: "CRON", cron: "0 0 * * * ?", zone: "UTC" };
    const { groupId, handler, version } = job;
    expect((await api.put(`/api/jobs/${id}`, { data: { name, groupId, handler, schedule, version } })).status()).toBe(200);
    await page.goto(`/jobs/${id}`);

    await page.getByRole("button", { name: `Backfill ${name}` }).click();
    const dialog = page.getByRole("dialog").filter({ hasText: `Backfill “${name}”` });
    await expect(dialog.getByText("Choose a range to see what would be made.")).toBeVisible();
    const inputs = dialog.locator(".ant-picker-input input");
    await inputs.first().fill("2026-11-01 09:30:00");
    await inputs.first().press("Enter");
    await inputs.last().fill("2026-11-01 12:00:00");
    await inputs.last().press("Enter");
    await expect(dialog.getByText("3 runs will be made")).toBeVisible();
    await expect(dialog.getByRole("row")).toHaveCount(4);
    await look(page, "job-backfill");
    await dialog.getByRole("button", { name: "Make 3 runs" }).click();

    await expect(page.getByText("3 runs made")).toBeVisible();
    await expect(page.getByRole("cell", { name: "Backfill" })).toHaveCount(3);
  });
});
