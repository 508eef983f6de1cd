import { expect, request } from "@playwright/test";
import { bearer } from "./installation";

/** The tests begin when an executor is online and the sample jobs are there. */
export default async function waitForSamples(): Promise<void> {
  const baseURL = process.env.ORTH_E2E_URL ?? "";
  await expect
    .poll(
      async () => {
        try {
          const api = await request.newContext({ baseURL, extraHTTPHeaders: bearer() });
          const executors = await (await api.get("/api/executors")).json();
          const jobs = await (await api.get("/api/jobs?q=Countdown")).json();
          await api.dispose();
          return jobs.items.length > 0 && executors.items.some((each: { status: string }) => each.status === "ONLINE");
        } catch {
          return false;
        }
      },
      { timeout: 120_000, message: "an executor and the sample jobs" },
    )
    .toBe(true);
}
