import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { operationStatuses } from "../../api/operations";
import { operationWire } from "../../test/queueFactories";
import { fakeServer } from "../../test/fakeFetch";
import { pagesAt, press, words } from "../../test/pages";
import { operationLook } from "./operationLook";
import OperationPage from "./OperationPage";
import OperationsPage from "./OperationsPage";

const show = pagesAt([
  { path: "/operations", Component: OperationsPage },
  { path: "/operations/:id", Component: OperationPage },
]);

const fact = (name: string): string => [...document.querySelectorAll("dt")].find((dt) => dt.textContent === name)?.nextElementSibling?.textContent ?? "";

const row = async (id: string): Promise<string> => (await screen.findByText(`#${id}`)).closest("tr")?.textContent ?? "";

afterEach(cleanup);

describe("the list of operations", () => {
  it("says what each concerns and how far it is", async () => {
    const items = [
      operationWire("RUNNING", { filter: { kind: "RUN", jobId: "7", fingerprint: "aa00", from: "2026-11-01T00:00:00Z" } }),
      operationWire("DONE", { id: "4", action: "PURGE", queue: "invoices", filter: null, failed: 0 }),
      operationWire("ABORTED", { id: "3", action: "DISCARD", filter: null, all: true, reason: null }),
      operationWire("PAUSED", { id: "2", filter: null, ids: ["1", "2"] }),
    ];
    fakeServer({ "GET /api/operations": { body: { items, next: null } } });
    show("/operations");
    expect(await row("5")).toContain("RetryRunning410 of 1,0003Kind RunJob #7Kind of failure aa00From 2026-11-01 00:00:00");
    expect(await row("4")).toContain("What waits in invoices");
    expect(await row("3")).toContain("All dead letters");
    expect(await row("2")).toContain("2 selected dead letters");
  });

  it("keeps to the status in the address, and says what it is for where it is empty", async () => {
    const calls = fakeServer({ "GET /api/operations": { body: { items: [], next: null } } });
    show("/operations?status=PAUSED");
    expect(await screen.findByText("Nothing matches these filters")).toBeTruthy();
    expect(calls[0]?.url).toBe("/api/operations?status=PAUSED&limit=50");
    cleanup();
    show("/operations");
    expect(await screen.findByText(/purging a queue are listed here/)).toBeTruthy();
    cleanup();
    fakeServer({ "GET /api/operations": { status: 403, body: {} } });
    show("/operations");
    expect((await screen.findByRole("alert")).textContent).toContain("You may not see this");
  });
});

describe("an operation", () => {
  it("shows how far it is, what came of it and its last error", async () => {
    fakeServer({ "GET /api/operations/5": { body: operationWire("RUNNING", { lastError: "queue emails is gone", heldBy: "emails" }) } });
    show("/operations/5");
    await screen.findByText("Last error: queue emails is gone");
    expect(screen.getByText(/Waits: emails has enough to do/)).toBeTruthy();
    expect(screen.getByRole("progressbar", { name: "Progress of operation 5" }).getAttribute("aria-valuenow")).toBe("41");
    expect(["Concerned", "Done", "Skipped", "Failed", "By", "Reason", "Ended"].map(fact)).toEqual([
      "1,000",
      "400",
      "7",
      "3",
      "ann",
      "the mail server is back",
      "–",
    ]);
    expect(document.title).toBe("Operation 5 · Orth");
  });

  it("is followed until it is over, and then left alone", async () => {
    let asked = 0;
    fakeServer({
      "GET /api/operations/5": () => {
        asked += 1;
        return { body: operationWire(asked === 1 ? "RUNNING" : "DONE") };
      },
    });
    show("/operations/5");
    expect(await screen.findByText("410 of 1,000")).toBeTruthy();
    expect(await screen.findByText("1,000 of 1,000")).toBeTruthy();
    expect(words()).toEqual([]);
    expect(asked).toBe(2);
  });

  it("offers what fits its status, to operators", async () => {
    const offered: Record<string, string[]> = {};
    for (const [status, role] of [...operationStatuses.map((each) => [each, "OPERATOR"] as const), ["RUNNING", "VIEWER"] as const]) {
      fakeServer({ "GET /api/operations/5": { body: operationWire(status) } });
      show("/operations/5", role);
      // One after the other: each needs the page for itself.
      // oxlint-disable-next-line no-await-in-loop
      await screen.findByText("the mail server is back");
      offered[`${status} ${role}`] = words();
      cleanup();
    }
    expect(offered).toEqual({
      "RUNNING OPERATOR": ["Pause", "Abort"],
      "PAUSED OPERATOR": ["Resume", "Abort"],
      "DONE OPERATOR": [],
      "ABORTED OPERATOR": [],
      "RUNNING VIEWER": [],
    });
  });

  it("is aborted only when that is confirmed, and says when it was too late", async () => {
    const calls = fakeServer({
      "GET /api/operations/5": { body: operationWire("PAUSED") },
      "POST /api/operations/5/abort": { status: 409, body: { detail: "operation 5 is DONE", code: "CONFLICT" } },
    });
    show("/operations/5");
    await press("Abort");
    await screen.findAllByText("Abort operation 5?");
    expect(calls.filter((call) => call.method === "POST")).toEqual([]);
    await press("Abort");
    expect(await screen.findByText(/operation 5 is DONE/)).toBeTruthy();
    await waitFor(() => expect(calls.filter((call) => call.method === "GET").length).toBeGreaterThan(1));
  });

  it("that does not exist says so", async () => {
    fakeServer({ "GET /api/operations/9": { status: 404, body: {} } });
    show("/operations/9");
    expect((await screen.findByRole("alert")).textContent).toContain("This does not exist");
  });

  it("looks different from status to status by more than colour", () => {
    expect(new Set(operationStatuses.map((status) => operationLook[status].Icon)).size).toBe(operationStatuses.length);
  });
});
