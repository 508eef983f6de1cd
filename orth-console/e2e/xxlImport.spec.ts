import { expect, look, test, unique } from "./fixtures";
import { canStart, startXxlJob, type XxlJob } from "./xxlJob";

test.describe("import from XXL-JOB", { tag: "@console" }, () => {
  test("a server that is not there is said at its field", async ({ page }) => {
    await page.goto("/jobs");
    await page.getByRole("button", { name: "Import" }).click();
    await page.getByRole("link", { name: "Import from an XXL-JOB database instead" }).click();
    await expect(page.getByRole("heading", { name: "Import from XXL-JOB", level: 1 })).toBeVisible();
    await page.getByLabel("Host").fill("127.0.0.1");
    await page.getByLabel("Port").fill("1");
    await page.getByRole("textbox", { name: "User" }).fill("someone");
    await page.getByRole("button", { name: "Check" }).click();
    await expect(page.getByText("Takes no connections at port 1")).toBeVisible();

    await page.getByLabel("URL").fill("jdbc:mysql://127.0.0.1:3306/xxl_job?allowLoadLocalInfile=true");
    await expect(page.getByLabel("Host")).toHaveCount(0);
    await page.getByRole("button", { name: "Check" }).click();
    await expect(page.getByText("Must not have the parameter allowLoadLocalInfile")).toBeVisible();
    await look(page, "xxl-import-error");
  });

  test("a database is checked, imported, and the second time changes nothing", async ({ page, api }) => {
    test.skip(!canStart, "needs the admin's tests to be compiled: mvn verify -pl orth-admin -am");
    // A database server is started for it.
    test.slow();
    const app = unique("xxl");
    const xxlJob: XxlJob = await startXxlJob(app);
    try {
      await page.goto("/jobs/xxl-job-import");
      await page.getByLabel("URL").fill(`jdbc:mysql://127.0.0.1:${xxlJob.port}/xxl_job?useUnicode=true`);
      await page.getByRole("textbox", { name: "User" }).fill("orth_import");
      await page.getByLabel("Password", { exact: true }).fill("only for reading 17");
      await page.getByRole("button", { name: "Check" }).click();
      await expect(page.getByRole("heading", { name: /^What would be imported from/u })).toBeVisible();
      await expect(page.getByText("Jobs: 3 new, 0 already here, 1 failed")).toBeVisible();
      await expect(page.getByText("Not imported: alarm mail to ops@example.org")).toBeVisible();
      await look(page, "xxl-import-preview");
      expect((await (await api.get(`/api/groups?name=${app}`)).json()).items).toHaveLength(0);

      await page.getByRole("button", { name: "Import 5" }).click();
      await expect(page.getByRole("heading", { name: /^What was imported from/u })).toBeVisible();
      await look(page, "xxl-import-result");
      await page.getByRole("link", { name: "Nightly" }).click();
      await expect(page.getByRole("heading", { name: "Nightly", level: 1 })).toBeVisible();
      await expect(page.getByText(app).first()).toBeVisible();

      await page.goto("/jobs/xxl-job-import");
      await page.getByLabel("URL").fill(`jdbc:mysql://127.0.0.1:${xxlJob.port}/xxl_job`);
      await page.getByRole("textbox", { name: "User" }).fill("orth_import");
      await page.getByLabel("Password", { exact: true }).fill("only for reading 17");
      await page.getByRole("button", { name: "Check" }).click();
      await expect(page.getByText("Jobs: 0 new, 3 already here, 1 failed")).toBeVisible();
      await expect(page.getByRole("button", { name: "Import 0" })).toBeDisabled();
    } finally {
      xxlJob.stop();
    }
  });
});
