import { choose, expect, look, makeJob, runJob, test, unique } from "./fixtures";

test.describe("reports", { tag: ["@console", "@must-runs"] }, () => {
  test("show how runs ended, day by day, and count what ends while they are open", async ({ page, api }) => {
    const id = await makeJob(api, { name: unique("Counted"), handler: "sample.failing" });
    await runJob(api, id);
    await page.goto("/reports");
    await expect(page.getByRole("heading", { name: "Reports", level: 1 })).toBeVisible();
    const today = page.getByRole("row").nth(1);
    const failed = async (): Promise<number> => Number(await today.getByRole("cell").nth(2).textContent());
    await expect.poll(failed).toBeGreaterThan(0);
    const before = await failed();
    await look(page, "reports");

    await runJob(api, id);
    await expect.poll(failed, { timeout: 20_000 }).toBeGreaterThan(before);

    await choose(page, "Range", "Last 7 days");
    await expect(page).toHaveURL(/days=7/);
    await expect(page.getByRole("row")).toHaveCount(8);
  });
});
