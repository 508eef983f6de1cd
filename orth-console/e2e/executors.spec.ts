import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { APIRequestContext } from "@playwright/test";
import { expect, look, runJob, test, unique } from "./fixtures";

/** An executor of a group of its own, so that no other test misses the one it drains. */
class SecondExecutor {
  private process: ChildProcess | null = null;
  private readonly data = mkdtempSync(join(tmpdir(), "orth-e2e-executor-"));
  /** A file that its run may wait for. */
  readonly lastWord = join(this.data, "last-word");

  start(admin: string, group: string, token: string): void {
    const target = join(import.meta.dirname, "..", "..", "orth-standalone", "target");
    const jar = readdirSync(target).find((name) => name.endsWith("-exec.jar")) ?? "";
    const java = process.env.JAVA_HOME === undefined ? "java" : join(process.env.JAVA_HOME, "bin", "java");
    this.process = spawn(java, ["-Xmx64m", "-jar", join(target, jar), "--admin", admin, "--group", group, "--data", this.data, "--samples"], {
      env: { ...process.env, ORTH_EXECUTOR_ACCESS_TOKEN: token },
      stdio: "ignore",
    });
  }

  isRunning(): boolean {
    return this.process !== null && this.process.exitCode === null && this.process.signalCode === null;
  }

  async stop(): Promise<void> {
    const { process: child } = this;
    if (child !== null && this.isRunning()) {
      const ended = new Promise((resolve) => {
        child.once("exit", resolve);
      });
      child.kill("SIGTERM");
      await ended;
    }
    rmSync(this.data, { recursive: true, force: true });
  }
}

/** One that goes on until there is a file of that name. */
async function jobThatWaitsFor(api: APIRequestContext, groupId: string, file: string): Promise<string> {
  const glue = { type: "GLUE_SHELL", source: 'until [ -e "$1" ]; do sleep 0.2; done\n' };
  const made = await api.post("/api/jobs", {
    data: { name: unique("slow"), groupId, glue, param: file, schedule: { type: "NONE" } },
  });
  expect(made.status()).toBe(201);
  return (await made.json()).id;
}

test.describe("an executor", { tag: "@console" }, () => {
  const executor = new SecondExecutor();

  test.afterEach(() => executor.stop());

  test("shows how it does, and is drained: it finishes its run, reports it and leaves", async ({ page, api, baseURL }) => {
    test.slow();
    const name = unique("drained");
    const group = await (await api.post("/api/groups", { data: { name } })).json();
    const { token } = await (await api.get(`/api/groups/${group.id}/token`)).json();
    executor.start(baseURL ?? "", name, token);
    await page.goto(`/executors?name=${name}`);
    const section = page.getByRole("article", { name });
    const row = section.getByRole("row").nth(1);
    await expect(row.getByText("Online")).toBeVisible({ timeout: 30_000 });
    await expect(row).toContainText(/\d+ %/);
    await expect(row).toContainText(/\d+ MB of \d+ MB/);
    const runId = await runJob(api, await jobThatWaitsFor(api, group.id, executor.lastWord));
    await expect(row).toContainText("1 running, 0 waiting");
    await look(page, "executor-busy");

    await row.getByRole("button", { name: /^History of/ }).click();
    await expect(page.getByRole("dialog").getByText(/No history yet|Heap in use/)).toBeVisible();
    await look(page, "executor-history");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();

    await row.getByRole("button", { name: /^Drain/ }).click();
    const question = page.getByRole("dialog").filter({ hasText: "takes no more work" });
    await expect(question).toBeVisible();
    await question.getByRole("button", { name: "Cancel" }).click();
    await expect(row.getByText("Online")).toBeVisible();
    await row.getByRole("button", { name: /^Drain/ }).click();
    await page.getByRole("dialog").filter({ hasText: "takes no more work" }).getByRole("button", { name: "Drain" }).click();
    await expect(row.getByText("Draining")).toBeVisible();
    await expect(row.getByRole("button", { name: /^Drain/ })).toHaveCount(0);
    await look(page, "executor-draining");
    writeFileSync(executor.lastWord, "");

    await expect(row.getByText("Offline")).toBeVisible({ timeout: 60_000 });
    const run = await (await api.get(`/api/runs/${runId}`)).json();
    expect(run.status).toBe("SUCCESS");
    expect(executor.isRunning()).toBe(true);
  });

  test("that is rejected is listed with the reason", async ({ page, playwright, baseURL }) => {
    const group = unique("rejected");
    const stranger = await playwright.request.newContext({ baseURL: baseURL ?? "", extraHTTPHeaders: { "ORTH-ACCESS-TOKEN": "wrong" } });
    const answer = await stranger.post("/api/registry", {
      data: { registryGroup: "EXECUTOR", registryKey: group, registryValue: "http://127.0.0.1:9/" },
    });
    expect((await answer.json()).code).toBe(500);
    await stranger.dispose();

    await page.goto("/executors");
    const row = page.getByRole("article", { name: "Rejected registrations" }).getByRole("row").filter({ hasText: group });
    await expect(row).toContainText("http://127.0.0.1:9");
    await expect(row).toContainText("Wrong access token");
    await look(page, "executors-rejected");
  });

  test("that cannot be reached any more cannot be drained, and it says so", async ({ page, api, baseURL }) => {
    const name = unique("unreachable");
    const group = await (await api.post("/api/groups", { data: { name } })).json();
    const { token } = await (await api.get(`/api/groups/${group.id}/token`)).json();
    // Nobody listens there: it registers, and that is all.
    const registered = await api.post(`${baseURL}/api/registry`, {
      headers: { "ORTH-ACCESS-TOKEN": token },
      data: {
        registryGroup: "EXECUTOR",
        registryKey: name,
        registryValue: "http://127.0.0.1:1/",
        instance: { id: unique("nobody"), host: "nowhere", pid: 1, version: "0" },
      },
    });
    expect((await registered.json()).code).toBe(200);

    await page.goto(`/executors?name=${name}`);
    const section = page.getByRole("article", { name });
    await section.getByRole("button", { name: /^Drain/ }).click();
    await page.getByRole("dialog").filter({ hasText: "takes no more work" }).getByRole("button", { name: "Drain" }).click();
    await expect(page.getByRole("alert").filter({ hasText: "could not be told to drain: it cannot be reached" })).toBeVisible();
    await expect(section.getByText("Draining")).toHaveCount(0);
  });
});
