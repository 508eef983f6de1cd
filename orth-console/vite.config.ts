import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** Where `npm run dev` finds a running admin. */
const admin = process.env.ORTH_URL ?? "http://localhost:8080";

export default defineConfig({
  plugins: [react()],
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
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/test/setup.ts"],
    reporters: ["default", ["junit", { outputFile: "target/surefire-reports/TEST-vitest.xml", suiteName: "orth-console" }]],
    env: { TZ: "UTC" },
    // On a busy machine a page takes its time to be drawn; what is waited for is there at once otherwise.
    testTimeout: 60_000,
  },
});
