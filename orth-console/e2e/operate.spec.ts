import { choose, correct, expect, look, test, unique } from "./fixtures";

test.describe("executors", { tag: "@console" }, () => {
  test("instances are shown, and a token is revealed with how to use it", async ({ page }) => {
    await page.goto("/executors");
    await expect(page.getByRole("row").filter({ hasText: "Online" }).first()).toBeVisible();
    await look(page, "executors");
    await page.getByRole("button", { name: "Connect an executor" }).first().click();
    const drawer = page.getByRole("dialog");
    await expect(drawer.getByText("<token>")).toBeVisible();
    await drawer.getByRole("button", { name: "Reveal token" }).click();
    const token = (await drawer.locator(".secret code").textContent()) ?? "";
    expect(token.length).toBeGreaterThan(20);
    await expect(drawer.getByText(`orth.executor.access-token=${token}`)).toBeVisible();
    await look(page, "executors-connect");
    await drawer.getByRole("tab", { name: "Standalone" }).click();
    await expect(drawer.getByText("orth-standalone")).toBeVisible();
  });

  test("a group is created, renamed, given a new token and deleted; one with jobs is not deleted", async ({ page }) => {
    const name = unique("group");
    await page.goto("/executors");
    await page.getByRole("button", { name: "New group" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Not A Name!");
    await dialog.getByRole("button", { name: "Create" }).click();
    await expect(dialog.locator(".ant-form-item-explain-error")).toBeVisible();
    await correct(dialog, "Name", name);
    await dialog.getByRole("button", { name: "Create" }).click();
    const section = page.getByRole("article", { name });
    await expect(section.getByText("No executor of this group has registered yet.")).toBeVisible();

    await section.getByRole("button", { name: `Change title of ${name}` }).click();
    await page.getByRole("dialog").getByLabel("Title").fill("Night shift");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await expect(section.getByRole("heading", { name: "Night shift" })).toBeVisible();

    await section.getByRole("button", { name: "Connect an executor" }).click();
    await page.getByRole("button", { name: "Reveal token" }).click();
    const secret = page.locator(".secret code");
    const before = (await secret.textContent()) ?? "";
    await page.getByRole("button", { name: "Rotate" }).click();
    await page.getByRole("dialog").filter({ hasText: "Make a new token" }).getByRole("button", { name: "Rotate" }).click();
    await expect(secret).not.toHaveText(before);
    await page.getByRole("button", { name: "Close" }).first().click();

    await section.getByRole("button", { name: `Delete group ${name}` }).click();
    await page.getByRole("dialog").filter({ hasText: "Delete group" }).getByRole("button", { name: "Delete" }).click();
    await expect(section).toHaveCount(0);

    await page.getByRole("button", { name: /^Delete group/ }).first().click();
    await page.getByRole("dialog").filter({ hasText: "Delete group" }).getByRole("button", { name: "Delete" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "That did not work" })).toBeVisible();
  });
});

test.describe("settings", { tag: "@console" }, () => {
  test("a user is created, changed and switched off", async ({ page }) => {
    const name = unique("user");
    await page.goto("/settings/users");
    await page.getByRole("button", { name: "New user" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("User name").fill(name);
    await dialog.getByLabel("Password").fill("short");
    await dialog.getByRole("button", { name: "Create" }).click();
    await expect(dialog.locator(".ant-form-item-explain-error")).toBeVisible();
    await look(page, "user-new");
    await correct(dialog, "Password", `Calm-${unique("harbour")}-3`);
    await dialog.getByRole("button", { name: "Create" }).click();
    const row = page.getByRole("row").filter({ hasText: name });
    await expect(row).toBeVisible();
    await choose(page, `Role of ${name}`, "Operator");
    await expect(page.getByText(`${name} changed`)).toBeVisible();
    await row.getByRole("switch", { name: `Disable ${name}` }).click();
    await expect(row.getByRole("switch", { name: `Enable ${name}` })).toBeVisible();
    await row.getByRole("button", { name: `Reset password of ${name}` }).click();
    await page.getByRole("dialog").getByLabel("New password").fill(`Calm-${unique("island")}-4`);
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await expect(page.getByText(`Password of ${name} changed`)).toBeVisible();
    await look(page, "users");
  });

  test("an API token is shown once, works, and is revoked", async ({ page, playwright, baseURL }) => {
    const name = unique("pipeline");
    await page.goto("/settings/tokens");
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill(name);
    await page.getByRole("dialog").getByRole("button", { name: "Create" }).click();
    const secret = (await page.locator(".secret code").textContent()) ?? "";
    await look(page, "token-created");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();

    const asTool = await playwright.request.newContext({ baseURL: baseURL ?? "", extraHTTPHeaders: { Authorization: `Bearer ${secret}` }, storageState: { cookies: [], origins: [] } });
    expect((await asTool.get("/api/jobs")).status()).toBe(200);
    expect((await asTool.post("/api/groups", { data: { name: unique("no") } })).status()).toBe(403);
    const row = page.getByRole("row").filter({ hasText: name });
    await row.getByRole("button", { name: `Revoke ${name}` }).click();
    await page.getByRole("dialog").filter({ hasText: "Revoke" }).getByRole("button", { name: "Revoke" }).click();
    await expect(row).toHaveCount(0);
    expect((await asTool.get("/api/jobs")).status()).toBe(401);
    await asTool.dispose();
    await look(page, "tokens");
  });

  test("the audit tells who did what, and is searched", async ({ page, api }) => {
    const name = unique("audited");
    expect((await api.post("/api/groups", { data: { name } })).status()).toBe(201);
    await page.goto("/audit");
    await page.getByLabel("Action, object or detail").fill(name);
    await expect(page).toHaveURL(new RegExp(`q=${name}`));
    await expect(page.getByRole("row").filter({ hasText: name })).toHaveCount(1);
    await page.goto("/audit");
    await expect(page.getByRole("row").nth(2)).toBeVisible();
    await look(page, "audit");
  });
});

test("the pages are usable on a phone", { tag: "@console" }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/jobs");
  await expect(page.getByRole("link", { name: "Countdown", exact: true })).toBeVisible();
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await look(page, "jobs-phone");
  await page.getByRole("button", { name: "Open navigation" }).click();
  await page.getByRole("link", { name: /^(history )?Runs$/ }).click();
  await expect(page.getByRole("heading", { name: "Runs", exact: true })).toBeVisible();
  await expect(page.locator(".rail")).toBeHidden();
  expect(await overflow()).toBeLessThanOrEqual(0);
  await look(page, "runs-phone");
  await page.getByRole("link", { name: /^#\d+/ }).first().click();
  await expect(page.getByRole("log")).toBeVisible();
  expect(await overflow()).toBeLessThanOrEqual(0);
  await look(page, "run-phone");
});
