import { choose, expect, look, makeJob, runJob, test, unique } from "./fixtures";

test.describe("routing", { tag: "@console" }, () => {
  test("a job is broadcast to the only executor it names, and its run says so", async ({ page, api }) => {
    const name = unique("Broadcast");
    const id = await makeJob(api, { name, handler: "sample.heartbeat" });
    const { items } = await (await api.get("/api/executors")).json();
    const { address } = items.find((each: { status: string }) => each.status === "ONLINE");
    await page.goto(`/jobs/${id}/edit`);
    await expect(page.getByText("One executor after the other, counted for this job over all admins.")).toBeVisible();
    await choose(page, "Routing", "All, as shards (broadcast)");
    const addresses = page.getByRole("combobox", { name: "Only these executors" });
    await addresses.fill("http://169.254.169.254:80");
    await addresses.press("Enter");
    await addresses.press("Escape");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("1: 169.254.169.254 is not an address of an executor")).toBeVisible();

    // A select takes no key that follows its last text within a quarter of a second.
    await expect(async () => {
      await addresses.press("Backspace");
      await expect(page.locator(".ant-select").filter({ has: addresses })).not.toContainText("169.254.169.254", { timeout: 1_000 });
    }).toPass();
    await addresses.fill(address);
    await addresses.press("Enter");
    await addresses.press("Escape");
    await look(page, "job-routing");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByRole("heading", { name, exact: true, level: 1 })).toBeVisible();
    await expect(page.getByText("All, as shards (broadcast)")).toBeVisible();
    await expect(page.getByText(address, { exact: true }).first()).toBeVisible();

    const runId = await runJob(api, id);
    await page.goto(`/runs/${runId}`);
    await expect(page.getByText("0 of 1", { exact: true })).toBeVisible();
    await look(page, "run-shard");
  });
});
