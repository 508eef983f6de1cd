import { expect, look, test } from "./fixtures";

test.describe("a paused installation", { tag: "@must-first" }, () => {
  test("says so on every page until an administrator resumes it", async ({ page }) => {
    await page.route("**/api/system", async (route) => {
      const answer = await route.fetch();
      const system = (await answer.json()) as { installation: object };
      const paused = { copiedFromId: "0b0e1b6c-7a55-4f6e-9d6e-3f1f0c6b8a10", paused: true, pausedAt: "2026-01-02T03:04:05Z", pauseReason: "COPIED" };
      await route.fulfill({ response: answer, json: { ...system, installation: { ...system.installation, ...paused } } });
    });
    await page.goto("/runs");
    const banner = page.getByRole("alert").filter({ hasText: "This installation is paused" });
    await expect(banner).toContainText("0b0e1b6c-7a55-4f6e-9d6e-3f1f0c6b8a10");
    await look(page, "paused");
    await page.getByRole("link", { name: "Queues" }).click();
    await expect(banner).toBeVisible();

    await banner.getByRole("button", { name: "Resume" }).click();
    await page.unrouteAll({ behavior: "wait" });
    await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
    await expect(page.getByText("The installation was resumed")).toBeVisible();
    await expect(banner).toBeHidden();
  });

  test("says so in Chinese", async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem("orth.preferences", '{"language":"zh","theme":"dark"}'));
    await page.route("**/api/system", async (route) => {
      const answer = await route.fetch();
      const system = (await answer.json()) as { installation: object };
      await route.fulfill({ response: answer, json: { ...system, installation: { ...system.installation, paused: true, pauseReason: "START_PAUSED" } } });
    });
    await page.goto("/runs");
    await expect(page.getByRole("alert").filter({ hasText: "orth.installation.start-paused" })).toContainText("暂停");
  });
});
