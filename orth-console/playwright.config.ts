import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";

/** A port that nobody listens on now. Asked in a process of its own, because this file is read without waiting. */
const freePort = (): string =>
  execFileSync(process.execPath, [
    "-e",
    'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })',
  ])
    .toString()
    .trim();

// This file is read again by every worker; what the first reading chose goes on to them through the environment.
// With ORTH_E2E_URL (and ORTH_E2E_DATA, where its credentials.json is) an Orth that runs already is used.
const running = process.env.ORTH_E2E_URL !== undefined && process.env.ORTH_E2E_STARTED === undefined;
if (process.env.ORTH_E2E_URL === undefined) {
  process.env.ORTH_E2E_STARTED = "true";
  process.env.ORTH_E2E_DATA = mkdtempSync(join(tmpdir(), "orth-e2e-"));
  process.env.ORTH_E2E_URL = `http://127.0.0.1:${freePort()}`;
}
const url = process.env.ORTH_E2E_URL;
const data = process.env.ORTH_E2E_DATA ?? "";

export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/waitForSamples.ts",
  outputDir: "test-results/artifacts",
  reporter: [["list"], ["junit", { outputFile: "test-results/junit.xml" }]],
  // One installation, two cores: tests take turns.
  workers: 1,
  fullyParallel: false,
  // What is waited for comes at once on a machine of its own, and late on one that also runs the other tests.
  timeout: 180_000,
  // So that a run that hangs ends, with the results it has.
  globalTimeout: 35 * 60_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  use: {
    baseURL: url,
    locale: "en-US",
    timezoneId: "Europe/Berlin",
    colorScheme: "light",
    viewport: { width: 1440, height: 900 },
    // A dialog that still moves between the press and the release of the button never sees the click.
    contextOptions: { reducedMotion: "reduce" },
    // A trace of every step costs a third of the time; ORTH_E2E_TRACE=1 keeps those of failures.
    trace: process.env.ORTH_E2E_TRACE === undefined ? "off" : "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.ORTH_BROWSER ?? "/usr/bin/chromium",
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    },
  },
  ...(running
    ? {}
    : {
        webServer: {
          command: `../orth up --port ${new URL(url).port} --data ${data}`,
          url: `${url}/api/setup`,
          timeout: 300_000,
          stdout: "pipe",
          gracefulShutdown: { signal: "SIGTERM", timeout: 30_000 },
        },
      }),
});
