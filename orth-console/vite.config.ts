import { readdirSync, readFileSync } from "node:fs";
import react from "@vitejs/plugin-react";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import type { Reporter } from "vitest/node";

/** Where `npm run dev` finds a running admin. */
const admin = process.env.ORTH_URL ?? "http://localhost:8080";

const named = `role: "img",
    "aria-label": icon.name
  }, restProps`;

/** An icon that is given a name or can be pressed keeps both; any other is decoration. */
const hidden = `...(restProps["aria-label"] === undefined && restProps.role === undefined && onClick === undefined
      ? { "aria-hidden": true }
      : { role: "img", "aria-label": icon.name })
  }, restProps`;

/**
 * Ant Design names each icon by its file, in English, and screen readers read "history Runs". There is no setting for it, so
 * the component behind all icons is changed as it is built. The build fails where a new version has another text there.
 */
const hiddenIcons = (): Plugin => {
  let changed = false;
  return {
    name: "hidden-icons",
    apply: "build",
    transform(code, id) {
      if (!/@ant-design[\\/]icons[\\/]es[\\/]components[\\/]AntdIcon(Light)?\.js/.test(id) || !code.includes(named)) {
        return null;
      }
      changed = true;
      return { code: code.replace(named, hidden), map: null };
    },
    buildEnd(error) {
      if (error === undefined && !changed) {
        this.error("@ant-design/icons names its icons in another way now: see hiddenIcons in vite.config.ts");
      }
    },
  };
};

/** The only tag to test: Maven's -Dgroups. */
const tag = process.env.ORTH_TEST_TAG;

/** Loading a file costs more than its tests, so files without the tag are left out. */
const filesWith = (text: string): string[] =>
  readdirSync("src", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.test\.tsx?$/.test(file) && readFileSync(`src/${file}`, "utf8").includes(text))
    .map((file) => `src/${file}`);

/** With Maven's -Dmaven.test.failure.ignore, tests that fail are only reported. Errors outside of tests still fail the build. */
const ignoredFailures: Reporter = {
  onTestRunEnd(_files, unhandledErrors, reason) {
    if (process.env.ORTH_IGNORE_TEST_FAILURES === "true" && reason === "failed" && unhandledErrors.length === 0) {
      process.exitCode = undefined;
    }
  },
};

export default defineConfig({
  plugins: [react(), hiddenIcons()],
  base: "/",
  server: { proxy: { "/api": { target: admin } } },
  build: {
    outDir: "target/classes/static",
    emptyOutDir: true,
    target: "es2022",
    // No inline scripts and no data: fonts or images, so a strict content security policy holds.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What changes with an upgrade of a library, not with ours, stays in the browser's cache.
        codeSplitting: {
          groups: [{ name: "framework", test: /node_modules[\\/](react|react-dom|scheduler|react-router|i18next|react-i18next|@tanstack)[\\/]/ }],
        },
      },
    },
  },
  test: {
    environment: "jsdom",
    ...(tag === undefined
      ? { include: ["src/**/*.test.{ts,tsx}"] }
      : { include: filesWith(`@${tag}`), testNamePattern: `@${tag}`, passWithNoTests: true }),
    setupFiles: ["src/test/setup.ts"],
    reporters: ["default", ["junit", { suiteName: "orth-console" }], ignoredFailures],
    outputFile: { junit: "target/surefire-reports/TEST-vitest.xml" },
    env: { TZ: "UTC" },
    // On a busy machine a page takes its time to be drawn; what is waited for is there at once otherwise.
    testTimeout: 60_000,
  },
});
