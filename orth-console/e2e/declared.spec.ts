import { expect, look, test } from "./fixtures";

/** The sample executor's code declares this one; see SampleHandlers. */
const declared = "Nightly check";

test.describe("jobs declared in code", { tag: "@console" }, () => {
  test("one differs after it was changed, and is what the code says again when the declaration is taken", async ({ page, api }) => {
    const found = async () => (await (await api.get(`/api/jobs?q=${encodeURIComponent(declared)}`)).json()).items[0];
    await expect.poll(async () => (await found())?.declaration?.state).toBe("FOLLOWED");
    const job = await found();

    await page.goto("/jobs");
    const row = page.getByRole("row").filter({ hasText: declared });
    await expect(row.getByText("Code", { exact: true })).toBeVisible();
    await row.getByRole("link", { name: declared }).click();
    await expect(page.getByText("Declared in code; follows it until it is changed here")).toBeVisible();

    const { id, name, groupId, handler, version } = job;
    const schedule = { type: "CRON", cron: "0 30 4 * * ?", zone: "UTC" };
    const changed = await api.put(`/api/jobs/${id}`, { data: { name, groupId, handler, version, schedule, retry: job.retry } });
    expect(changed.status()).toBe(200);
    await page.reload();
    const notice = page.getByRole("alert").filter({ hasText: "Declared in code; differs in: schedule.cron" });
    await expect(notice.getByRole("row", { name: "schedule.cron 0 0 3 * * ? 0 30 4 * * ?" })).toBeVisible();
    await look(page, "job-differs-from-code");

    await notice.getByRole("button", { name: "Take the declaration" }).click();
    await page.locator(".ant-popconfirm").getByRole("button", { name: "Take the declaration" }).click();
    await expect(page.getByText(`“${declared}” is what the code says`)).toBeVisible();
    await expect(notice).toHaveCount(0);
    expect((await found()).schedule.cron).toBe("0 0 3 * * ?");
  });
});
