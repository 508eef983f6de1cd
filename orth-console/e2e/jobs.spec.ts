import { choose, expect, look, makeJob, runJob, test, unique } from "./fixtures";

test.describe("jobs", { tag: "@console" }, () => {
  test("one is created after a bad cron was refused at its field, then edited, paused, resumed and deleted", async ({ page }) => {
    const name = unique("Nightly");
    await page.goto("/jobs");
    await page.getByRole("link", { name: "New job" }).click();
    await expect(page.getByRole("heading", { name: "New job" })).toBeVisible();
    await page.getByLabel("Name").fill(name);
    await page.getByRole("combobox", { name: "Executor group" }).click();
    await page.locator(".ant-select-dropdown:visible .ant-select-item-option").first().click();
    await page.getByRole("textbox", { name: "Handler" }).fill("sample.heartbeat");
    await page.getByLabel("Cron expression").fill("0 0 24 * * ?");
    await page.getByRole("button", { name: "Create" }).click();
    const cronItem = page.locator(".ant-form-item", { has: page.getByLabel("Cron expression") });
    await expect(cronItem.locator(".ant-form-item-explain-error")).toHaveText(/Hour values must be between 0 and 23/);
    await expect(page).toHaveURL(/\/jobs\/new$/);
    await look(page, "job-new-refused");

    await page.getByLabel("Cron expression").fill("0 0 2 * * ?");
    await page.getByRole("combobox", { name: "Time zone" }).fill("Asia/Shanghai");
    await page.keyboard.press("Enter");
    const preview = page.getByRole("complementary", { name: "Next fires" });
    await expect(preview.getByRole("row")).toHaveCount(11);
    await expect(preview.getByRole("row").nth(1)).toContainText("02:00:00");
    await look(page, "job-new");
    await page.getByRole("button", { name: "Create" }).click();
    await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
    await expect(page.getByText("At 02:00")).toBeVisible();
    await look(page, "job");

    await page.getByRole("button", { name: `Edit ${name}` }).click();
    await page.getByText("Fixed rate").click();
    await page.getByLabel("Every").fill("2");
    await choose(page, "Unit of the interval", "hours");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Every 2 hours")).toBeVisible();

    await page.goto(`/jobs?q=${name}`);
    await page.getByRole("switch", { name: `Pause ${name}` }).click();
    await expect(page.getByRole("switch", { name: `Resume ${name}` })).toBeVisible();
    await page.goto(`/jobs?q=${name}&enabled=false`);
    await page.getByRole("switch", { name: `Resume ${name}` }).click();
    await expect(page.getByText("Nothing matches these filters")).toBeVisible();
    await look(page, "jobs-none-match");

    await page.goto(`/jobs?q=${name}`);
    await page.getByRole("button", { name: `Delete ${name}` }).click();
    const question = page.getByRole("dialog").filter({ hasText: `Delete “${name}”?` });
    await expect(question).toBeVisible();
    await look(page, "job-delete");
    await question.getByRole("button", { name: "Delete" }).click();
    await expect(page.getByText("Nothing matches these filters")).toBeVisible();
  });

  test("an edit that came too late says so where it was saved, and offers both versions", { tag: "@must-first" }, async ({ page, api }) => {
    const name = unique("Contested");
    const id = await makeJob(api, { name, handler: "sample.heartbeat" });
    const changeParam = async (param: string): Promise<void> => {
      const { groupId, handler, version } = await (await api.get(`/api/jobs/${id}`)).json();
      const changed = await api.put(`/api/jobs/${id}`, { data: { name, groupId, handler, param, schedule: { type: "NONE" }, version } });
      expect(changed.status()).toBe(200);
    };
    const alert = page.getByRole("alert");
    const save = page.locator(".form-buttons").getByRole("button", { name: "Save" });

    await page.goto(`/jobs/${id}/edit`);
    await page.getByLabel("Parameter").fill("mine");
    await changeParam("theirs");
    await save.click();
    await expect(alert).toContainText("Not saved: someone else has changed this in the meantime");
    await expect(alert).toContainText("Changed there: What runs.");
    await expect(alert).toBeInViewport({ ratio: 1 });
    await expect(save).toBeInViewport();
    await expect(save).toBeDisabled();
    await expect(page.locator(".conflict")).toBeFocused();
    await expect(page.getByLabel("Parameter")).toHaveValue("mine");
    await look(page, "job-conflict");
    await page.getByRole("button", { name: "Drop my changes and load theirs" }).click();
    await expect(page.getByLabel("Parameter")).toHaveValue("theirs");
    await expect(alert).toHaveCount(0);

    await page.getByLabel("Parameter").fill("mine after all");
    await changeParam("theirs again");
    await save.click();
    await page.getByRole("button", { name: "Save mine, replacing theirs" }).click();
    await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
    expect((await (await api.get(`/api/jobs/${id}`)).json()).param).toBe("mine after all");
  });

  test("a changed form is left only after a question", { tag: "@must-first" }, async ({ page, context, api }) => {
    const name = unique("Unsaved");
    const id = await makeJob(api, { name, handler: "sample.heartbeat" });
    await page.goto(`/jobs/${id}/edit`);
    await expect(page.getByLabel("Parameter")).toBeVisible();
    await page.locator('nav a[href="/runs"]').click();
    await expect(page.getByRole("heading", { name: "Runs", level: 1 })).toBeVisible();

    await page.goBack();
    await page.getByLabel("Parameter").fill("typed");
    const question = page.getByRole("dialog").filter({ hasText: "Leave without saving?" });
    await page.locator('nav a[href="/runs"]').click();
    await expect(question).toBeVisible();
    await look(page, "job-leave");
    await question.getByRole("button", { name: "Keep editing" }).click();
    await expect(question).toBeHidden();
    await expect(page.getByLabel("Parameter")).toHaveValue("typed");
    await page.getByRole("button", { name: "Cancel" }).click();
    await question.getByRole("button", { name: "Leave" }).click();
    await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
    expect((await (await api.get(`/api/jobs/${id}`)).json()).param).toBeFalsy();

    const other = await context.newPage();
    await other.goto("/jobs/new");
    await other.getByLabel("Name").fill("never saved");
    const asked = other.waitForEvent("dialog");
    const closing = other.close({ runBeforeUnload: true });
    const dialog = await asked;
    expect(dialog.type()).toBe("beforeunload");
    await dialog.accept();
    await closing;
  });

  test("a name that is taken is no conflict of versions", { tag: "@must-first" }, async ({ page, api }) => {
    const taken = unique("Taken");
    await makeJob(api, { name: taken, handler: "sample.heartbeat" });
    const id = await makeJob(api, { name: unique("Other"), handler: "sample.heartbeat" });
    await page.goto(`/jobs/${id}/edit`);
    await page.getByLabel("Name").fill(taken);
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("alert").filter({ hasText: `the group has a job named '${taken}' already` })).toBeVisible();
    await expect(page.locator(".conflict")).toHaveCount(0);
  });

  test("a long name or handler pushes nothing out of the lists", { tag: "@must-first" }, async ({ page, api }) => {
    const name = `${unique("Long")} ${"and even longer ".repeat(8)}`.trim();
    const handler = `com.example.${"nested.".repeat(12)}Handler`;
    const id = await makeJob(api, { name, handler });
    const runId = await runJob(api, id);
    await expect.poll(async () => (await (await api.get(`/api/runs/${runId}`)).json()).status).toBe("TRIGGER_FAILED");
    const fits = (region: string): Promise<boolean> =>
      page.getByRole("region", { name: region, exact: true }).evaluate((element) => element.scrollWidth <= element.clientWidth);

    await page.goto(`/jobs?q=${encodeURIComponent(name)}`);
    await expect(page.getByRole("link", { name, exact: true })).toHaveAttribute("title", name);
    await expect(page.getByText(handler)).toHaveAttribute("title", handler);
    await expect(page.getByRole("switch", { name: `Pause ${name}` })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: `Delete ${name}` })).toBeInViewport({ ratio: 1 });
    expect(await fits("Jobs")).toBe(true);
    await look(page, "jobs-long");

    await page.goto(`/runs?jobId=${id}`);
    const message = page.getByText(/^no executor took it/);
    await expect(message).toBeInViewport({ ratio: 1 });
    expect(await fits("Runs")).toBe(true);
    expect((await message.boundingBox())?.width).toBeGreaterThan(250);
    await expect(message).toHaveAttribute("title", new RegExp(handler));
    await look(page, "runs-long");
  });

  test("text from people and jobs stays text", async ({ page, api }) => {
    const evil = '<img src=x onerror="alert(1)">';
    const id = await makeJob(api, { name: `${evil} ${unique("x")}`, handler: "sample.countdown", param: evil });
    const runId = await runJob(api, id);
    await page.goto(`/jobs?q=${encodeURIComponent("<img")}`);
    await expect(page.getByRole("link", { name: evil }).first()).toBeVisible();
    await page.goto(`/runs/${runId}`);
    await expect(page.locator(".page-header").getByText("Failed 200/500")).toBeVisible();
    await expect(page.getByRole("log")).toContainText(evil);
    await page.locator(".page-header").getByText("Failed 200/500").click();
    await expect(page.locator(".raw-messages")).toContainText(evil);
    await expect(page.locator("img[src=x]")).toHaveCount(0);
    await look(page, "run-markup");
  });

  test("a missing one is said to be missing", async ({ page }) => {
    await page.goto("/jobs/999999999");
    await expect(page.getByText("This does not exist, or no longer")).toBeVisible();
    await page.goto("/no/such/page");
    await expect(page.getByRole("heading", { name: "This page does not exist" })).toBeVisible();
    await look(page, "not-found");
  });
});
