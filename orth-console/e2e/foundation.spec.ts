import { credentials } from "./installation";
import { expect, loggedOut, logIn, look, test } from "./fixtures";

test.use(loggedOut);

test("a job is run from the browser and its log arrives while it runs", { tag: "@must-foundation" }, async ({ page }) => {
  const { user, password } = credentials();
  await page.goto("/");
  await expect(page).toHaveURL(/\/login/);
  await look(page, "login");
  await logIn(page, user, password);
  await expect(page.getByRole("link", { name: "Countdown", exact: true })).toBeVisible();
  await look(page, "jobs");

  await page.getByRole("button", { name: "Run Countdown now" }).click();
  await page.getByLabel("Parameter").fill("20");
  await look(page, "run-now");
  await page.getByRole("dialog").getByRole("button", { name: "Run now" }).click();
  await expect(page).toHaveURL(/\/runs\/\d+/);

  const log = page.getByRole("log");
  const header = page.getByRole("banner").or(page.locator(".page-header"));
  await expect(log).toContainText("20 to go", { timeout: 40_000 });
  await expect(header.getByText("Pending 200/0")).toBeVisible();
  await expect(log).not.toContainText("lift-off");
  await expect(log).toContainText("4 to go");
  await expect(log).toContainText("lift-off");
  await expect(header.getByText("Success 200/200")).toBeVisible();
  await expect(page.getByText("complete")).toBeVisible();
  await look(page, "run-log");

  await page.getByRole("tab", { name: "Timeline" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Pending" }).filter({ hasText: "Success" })).toBeVisible();
  await look(page, "run-timeline");
});
