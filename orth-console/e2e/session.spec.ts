import { credentials } from "./installation";
import { choose, expect, loggedOut, logIn, look, test, unique } from "./fixtures";

test.describe("logging in", { tag: "@console" }, () => {
  test.use(loggedOut);

  test("a wrong password is refused without saying what was wrong", async ({ page }) => {
    await page.goto("/login");
    await page.getByLabel("User name").fill(unique("nobody"));
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page.getByRole("alert")).toHaveText("User name or password is wrong.");
    await look(page, "login-wrong");
  });

  test("it leads to the page that was asked for, with its filter", async ({ page }) => {
    const { user, password } = credentials();
    await page.goto("/runs?status=FAILED");
    await expect(page).toHaveURL(/\/login/);
    await page.getByLabel("User name").fill(user);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Log in" }).click();
    await expect(page).toHaveURL(/\/runs\?status=FAILED$/);
  });

  test("a session that ends asks for the login on top of the page", async ({ page, context }) => {
    const { user, password } = credentials();
    await logIn(page, user, password);
    await page.goto("/runs?status=SUCCESS");
    await expect(page.getByRole("heading", { name: "Runs" })).toBeVisible();
    await context.clearCookies();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByText("Your session has ended")).toBeVisible();
    await look(page, "session-ended");
    await dialog.getByLabel("Password", { exact: true }).fill(password);
    await dialog.getByRole("button", { name: "Log in" }).click();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL(/\/runs\?status=SUCCESS$/);
  });

  test("logging out ends it", async ({ page }) => {
    const { user, password } = credentials();
    await logIn(page, user, password);
    await page.getByRole("button", { name: `Account of ${user}` }).click();
    await page.getByText("Log out").click();
    await expect(page).toHaveURL(/\/login/);
    await page.goto("/jobs");
    await expect(page).toHaveURL(/\/login/);
  });
});

test.describe("preferences", { tag: "@console" }, () => {
  test("language and theme are switched and remembered", async ({ page }) => {
    await page.goto("/jobs");
    await page.getByRole("button", { name: "Language" }).click();
    await page.getByText("中文").click();
    await expect(page.getByRole("heading", { name: "任务", level: 1 })).toBeVisible();
    await page.getByRole("button", { name: "切换到深色主题" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await look(page, "jobs-zh-dark");
    await page.reload();
    await expect(page.getByRole("heading", { name: "任务", level: 1 })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  });
});

for (const name of ["runs", "executors", "jobs/new", "audit", "queue-alerts", "settings/users", "settings/tokens"]) {
  test(`${name} stands in Chinese and in the dark`, { tag: "@console" }, async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem("orth.preferences", '{"language":"zh","theme":"dark"}'));
    await page.goto(`/${name}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/[\u4e00-\u9fff]/);
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await look(page, `${name.replace("/", "-")}-zh-dark`);
  });
}

test("a viewer sees everything and can change nothing", { tag: "@console" }, async ({ browser, api, baseURL }) => {
  const name = unique("viewer");
  const password = `Quiet-${unique("river")}-7`;
  const made = await api.post("/api/users", { data: { name, password, role: "VIEWER" } });
  expect(made.status()).toBe(201);
  const context = await browser.newContext({ baseURL: baseURL ?? "", locale: "en-US", storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  await logIn(page, name, password);

  await expect(page.getByRole("link", { name: "Countdown", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "New job" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^(Run|Edit|Delete) / })).toHaveCount(0);
  const enabled = page.getByRole("switch").first();
  await expect(enabled).toBeDisabled();
  await enabled.hover({ force: true });
  await expect(page.getByRole("tooltip").filter({ hasText: "Needs the operator role" })).toBeVisible();
  await look(page, "jobs-viewer");

  await page.goto("/jobs/new");
  await expect(page.getByText("You may not see this")).toBeVisible();
  await page.goto("/audit");
  await expect(page.getByText("You may not see this")).toBeVisible();
  await look(page, "audit-forbidden");
  await page.goto("/executors");
  await expect(page.getByRole("heading", { name: "Executors" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Connect an executor" })).toHaveCount(0);
  await page.goto("/runs");
  await choose(page, "Status", "Success");
  await expect(page).toHaveURL(/status=SUCCESS/);
  await context.close();
});
