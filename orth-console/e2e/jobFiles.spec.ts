import { expect, look, makeJob, test, unique } from "./fixtures";

test.describe("files of jobs", { tag: "@console" }, () => {
  test("jobs are exported, changed in the text, checked and imported", async ({ page, api }) => {
    const name = unique("Filed");
    const id = await makeJob(api, { name, handler: "sample.heartbeat" });
    await page.goto(`/jobs?q=${name}`);
    await page.getByRole("button", { name: "Export" }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "YAML" }).click()]);
    expect(download.suggestedFilename()).toBe("orth-jobs.yaml");
    const yaml = await (await api.get(`/api/jobs/export?q=${name}`)).text();
    expect(yaml).toContain(`name: ${name}`);

    await page.getByRole("button", { name: "Import" }).click();
    const dialog = page.getByRole("dialog").filter({ hasText: "Import jobs" });
    await dialog.getByLabel("Text of the file").fill("jobs: 5");
    await dialog.getByRole("button", { name: "Check" }).click();
    await expect(dialog.getByText("jobs must be a list of jobs")).toBeVisible();

    await dialog.getByLabel("Text of the file").fill(yaml.replace("timeoutSeconds: 0", "timeoutSeconds: 45"));
    await dialog.getByRole("button", { name: "Check" }).click();
    await expect(dialog.getByText("Would make 0, change 1, leave 0 as they are")).toBeVisible();
    await look(page, "jobs-import");
    await dialog.getByRole("button", { name: "Import 1 change" }).click();

    await expect(page.getByText("0 made, 1 changed")).toBeVisible();
    expect((await (await api.get(`/api/jobs/${id}`)).json()).timeoutSeconds).toBe(45);
  });
});
