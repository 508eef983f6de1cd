import { AxeBuilder } from "@axe-core/playwright";
import { type APIRequestContext, expect, type Locator, type Page, test as base } from "@playwright/test";
import { bearer, credentials } from "./installation";

type Fixtures = { api: APIRequestContext; watched: void };

/** Pages are logged in as the administrator unless a test takes that away with {@link loggedOut}. */
export const test = base.extend<Fixtures, { session: string }>({
  api: async ({ playwright, baseURL }, provide) => {
    const context = await playwright.request.newContext({ baseURL: baseURL ?? "", extraHTTPHeaders: bearer() });
    await provide(context);
    await context.dispose();
  },

  session: [
    async ({ browser }, provide, worker) => {
      const context = await browser.newContext({ baseURL: worker.project.use.baseURL ?? "", locale: "en-US" });
      const page = await context.newPage();
      const { user, password } = credentials();
      await logIn(page, user, password);
      const file = `${worker.project.outputDir}/session.json`;
      await context.storageState({ path: file });
      await context.close();
      await provide(file);
    },
    { scope: "worker" },
  ],

  storageState: ({ session }, provide) => provide(session),

  // A dialog or a menu that is about to unfold stands still for a moment: a button that is pressed then is elsewhere when it is released.
  page: async ({ page }, provide) => {
    const unfolding = ".ant-zoom-appear, .ant-zoom-enter, .ant-slide-up-appear, .ant-slide-up-enter";
    await page.addLocatorHandler(page.locator(unfolding).first(), async () => {});
    await provide(page);
  },

  // No page may throw, or try what the content security policy forbids.
  watched: [
    async ({ page }, provide) => {
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("dialog", (dialog) => complaints.push(`a dialog: ${dialog.message()}`));
      page.on("console", (message) => {
        if (message.text().includes("Content Security Policy")) {
          complaints.push(message.text());
        }
      });
      await provide();
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

export const loggedOut = { storageState: { cookies: [], origins: [] } };

export async function logIn(page: Page, user: string, password: string): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("User name").fill(user);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("heading", { name: "Jobs", level: 1 })).toBeVisible();
}

/** What fades in is looked at once it stands; what turns for ever is not waited for. */
const untilStill = async (): Promise<void> => {
  const ending = document.getAnimations().filter((each) => each.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY);
  await Promise.all(ending.map((each) => each.finished.catch(() => null)));
};

/** Rules that are off unless they are asked for. */
const rules = { "label-content-name-mismatch": { enabled: true }, "target-size": { enabled: true } };

/** Keeps a picture of the page and holds it to have no serious accessibility violation. */
export async function look(page: Page, name: string): Promise<void> {
  await expect(page.locator(".ant-btn-loading")).toHaveCount(0);
  // A list of choices that begins to close only now would be looked at half open.
  await expect(page.locator(".ant-select-dropdown:visible")).toHaveCount(0);
  await page.evaluate(untilStill);
  await page.screenshot({ path: `test-results/pages/${name}.png` });
  // What is fading away has whatever contrast it has at that moment; a message that stays is looked at.
  const { violations } = await new AxeBuilder({ page }).options({ rules }).exclude(".ant-message-fade-leave").analyze();
  const serious = violations.filter((each) => each.impact === "serious" || each.impact === "critical");
  expect(serious.map((each) => `${each.id}: ${each.nodes.map((node) => node.target.join(" ")).join(", ")}`)).toEqual([]);
}

/** Picks an option of a select by its label. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  const box = page.getByRole("combobox", { name: label });
  const item = page.locator(".ant-select-dropdown:visible .ant-select-item-option", { hasText: option }).first();
  await box.click();
  // A list that is drawn anew between press and release takes no click.
  await expect(async () => {
    await item.click({ timeout: 5_000 });
    await expect(page.locator(".ant-select").filter({ has: box })).toContainText(option, { timeout: 3_000 });
  }).toPass();
}

/** Corrects a field that was refused. Its complaint leaves a moment later, and the buttons below it move: nobody presses one before. */
export async function correct(dialog: Locator, label: string, value: string): Promise<void> {
  await dialog.getByLabel(label).fill(value);
  await expect(dialog.locator(".ant-form-item-explain-error")).toHaveCount(0);
}

type NewJob = { name: string; handler: string; param?: string };

/** Makes a job that runs only by hand, in the group of the samples. */
export async function makeJob(api: APIRequestContext, job: NewJob): Promise<string> {
  const sample = (await (await api.get("/api/jobs?q=Countdown")).json()).items[0];
  const made = await api.post("/api/jobs", { data: { ...job, groupId: sample.groupId, schedule: { type: "NONE" } } });
  expect(made.status()).toBe(201);
  return (await made.json()).id;
}

export async function runJob(api: APIRequestContext, jobId: string): Promise<string> {
  const answer = await api.post(`/api/jobs/${jobId}/trigger`, { data: {} });
  expect(answer.status()).toBe(202);
  return (await answer.json()).runId;
}

/** A name that no earlier test has used. */
export const unique = (word: string): string => `${word}-${Date.now().toString(36)}`;
