import type { APIRequestContext } from "@playwright/test";
import { expect, look, test, unique } from "./fixtures";

/** The sample executor's code declares this one; see SampleHandlers. */
const declared = "Nightly check";

const cron = (text: string) => ({ type: "CRON", cron: text, zone: "UTC" });

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
    const schedule = cron("0 30 4 * * ?");
    const changed = await api.put(`/api/jobs/${id}`, { data: { name, groupId, handler, version, schedule, maxAttempts: job.maxAttempts, backoff: job.backoff } });
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

  test("one that is refused and one that the code has dropped say so", async ({ page, api }) => {
    const group = unique("declaring");
    const made = await (await api.post("/api/groups", { data: { name: group } })).json();
    const { token } = await (await api.get(`/api/groups/${made.id}/token`)).json();
    const speak = executorOf(api, group, token);
    await speak("1".repeat(64), [
      { name: "dropped", handler: "h", schedule: cron("0 0 3 * * ?") },
      { name: "refused", handler: "h", schedule: cron("0 0 99 * * ?") },
    ]);

    await page.goto("/jobs");
    const notice = page.getByRole("alert").filter({ hasText: "1 job that code declares was refused" });
    await expect(notice).toContainText(`refused of ${group}: schedule.cron`);
    await look(page, "jobs-refused-declaration");

    await speak("2".repeat(64), []);
    const { items } = await (await api.get(`/api/jobs?groupId=${made.id}`)).json();
    await page.goto(`/jobs/${items[0].id}`);
    await expect(page.getByRole("alert").filter({ hasText: "No longer declared in code" })).toBeVisible();
    await page.goto("/jobs");
    await expect(page.getByRole("row").filter({ hasText: group }).getByText("No longer in code")).toBeVisible();
    await expect(notice).toHaveCount(0);
  });
});

/** Speaks as a new instance of an executor that declares these jobs, and leaves. */
const executorOf = (api: APIRequestContext, registryKey: string, token: string) => async (hash: string, jobs: object[]) => {
  const id = unique("instance");
  const headers = { "ORTH-ACCESS-TOKEN": token };
  const instance = { id, host: "e2e", pid: 1, version: "e2e", leftoversDelivered: true, declarations: hash };
  const registration = { registryGroup: "EXECUTOR", registryKey, registryValue: "http://127.0.0.1:9/", instance };
  const asked = await (await api.post("/api/registry", { headers, data: registration })).json();
  expect(asked.declare).toBe(true);
  const answer = await (await api.post("/api/orth/declarations", { headers, data: { registryKey, instanceId: id, hash, jobs } })).json();
  expect(answer.code).toBe(200);
  await api.post("/api/registryRemove", { headers, data: registration });
};
