import { cleanup, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { type Call, fakeServer } from "../../test/fakeFetch";
import { pagesAt } from "../../test/pages";
import { messageWire } from "../../test/queueFactories";
import MessagePage from "./MessagePage";

const show = pagesAt([{ path: "/queues/:name/messages/:id", Component: MessagePage }]);

afterEach(cleanup);

const failure = (attempt: number, logId: string) => ({
  attempt,
  logId,
  executorId: "3",
  startedAt: "2026-11-03T13:05:09Z",
  endedAt: "2026-11-03T13:05:10Z",
  code: 500,
  error: `no ${attempt}`,
});

/** A log that has its own number in it. */
const logNamed = ({ url }: Call) => {
  const text = `written to ${new URL(url, "http://x").searchParams.get("logId")}\n`;
  return { body: { exists: true, from: 0, to: text.length, size: text.length, text, end: true } };
};

describe("the logs of a message @must-first", () => {
  const routes = {
    "GET /api/queues/emails/messages/9007199254740993": {
      body: messageWire("RUNNING", { attempt: 3, logId: "43", failures: [failure(1, "41"), failure(2, "42")] }),
    },
    "GET /api/queues/emails/messages/9007199254740993/log": logNamed,
    "GET /api/executors": { body: { items: [] } },
  };
  const here = "/queues/emails/messages/9007199254740993";

  it("are shown: that of the last attempt, or of the one in the address", async () => {
    fakeServer(routes);
    show(`${here}?tab=log`);
    expect(await screen.findByText("written to 43")).toBeTruthy();
    expect(screen.getByText("complete")).toBeTruthy();
    cleanup();
    fakeServer(routes);
    show(`${here}?tab=log&log=41`);
    expect(await screen.findByText("written to 41")).toBeTruthy();
    expect(document.querySelector(".attempt-select")?.textContent).toContain("Attempt 1, failed");
  });

  it("are reached from the facts and from each failed attempt", async () => {
    fakeServer(routes);
    show(`${here}?tab=attempts`);
    expect((await screen.findByText("Log 43")).getAttribute("href")).toBe(`${here}?tab=log&log=43`);
    expect((await screen.findByText("Log 42")).getAttribute("href")).toBe(`${here}?tab=log&log=42`);
  });

  it("are none before the first attempt", async () => {
    fakeServer({ ...routes, "GET /api/queues/emails/messages/9007199254740993": { body: messageWire("WAITING") } });
    show(`${here}?tab=log`);
    expect(await screen.findByText(/No attempt has been started yet/)).toBeTruthy();
  });
});
