import { expect, loggedOut, look, test } from "./fixtures";

test.describe("accessibility", { tag: ["@console", "@must-first"] }, () => {
  test("icons are not read aloud", async ({ page }) => {
    await page.goto("/jobs");
    const navigation = page.getByRole("navigation");
    await expect(navigation.getByRole("link", { name: "Runs", exact: true })).toBeVisible();
    await expect(page.getByRole("link", { name: "New job", exact: true })).toBeVisible();
    await expect(page.getByRole("main").getByRole("img")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Language: English", exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Language: English", exact: true }).click();
    await page.getByRole("menuitem", { name: "中文" }).click();
    await expect(navigation.getByRole("link", { name: "运行记录", exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "语言: 中文", exact: true })).toBeVisible();
    await look(page, "jobs-zh");
  });

  test("an editor that scrolls is reached by the keyboard", async ({ page }) => {
    await page.goto("/new-pipeline");
    const editor = page.getByRole("textbox", { name: "Definition as YAML" });
    await editor.click();
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.insertText(Array.from({ length: 80 }, (_, line) => `# line ${line} ${"and more ".repeat(40)}`).join("\n"));
    await expect(editor).toHaveAttribute("tabindex", "0");
    await look(page, "pipeline-new-long");
  });

  test.describe("without a login", () => {
    test.use(loggedOut);

    test("what shows a password is large enough to be pressed", async ({ page }) => {
      await page.goto("/login");
      const eye = page.locator(".ant-input-password-icon");
      const box = await eye.boundingBox();
      expect(box?.width).toBeGreaterThanOrEqual(24);
      expect(box?.height).toBeGreaterThanOrEqual(24);
      await look(page, "login");
    });
  });
});
