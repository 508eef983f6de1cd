import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { deadGroupWire, deadLetterWire, operationWire, queueWire } from "../../test/queueFactories";
import { type Call, fakeServer } from "../../test/fakeFetch";
import { findButton, pagesAt, press, words } from "../../test/pages";
import DeadLettersPage from "./DeadLettersPage";

const show = pagesAt([{ path: "/dead-letters", Component: DeadLettersPage }]);

const letters = [deadLetterWire("MESSAGE"), deadLetterWire("RUN", { no: "11", id: "41", error: "out of disk", fingerprint: "aa00" })];

/** A server with dead letters; what a test cares about takes the place of it. */
const serve = (change: Parameters<typeof fakeServer>[0] = {}): Call[] =>
  fakeServer({
    "GET /api/queues": { body: { items: [queueWire()] } },
    "GET /api/jobs": { body: { items: [], next: null } },
    "GET /api/dead-letters": { body: { items: letters, next: null } },
    "GET /api/dead-letters/groups": { body: { items: [deadGroupWire(), deadGroupWire({ kind: "RUN", queue: null, jobId: "7", jobName: "Countdown", error: "" })] } },
    "POST /api/operations": ({ body }) =>
      (body as { dryRun: boolean }).dryRun ? { body: { count: 1200 } } : { status: 202, body: operationWire("RUNNING") },
    "GET /api/operations/5": { body: operationWire("RUNNING") },
    ...change,
  });

const href = (text: string): string | null | undefined => screen.getByText(text).closest("a")?.getAttribute("href");
const asked = (calls: Call[]): unknown[] => calls.filter((call) => call.method === "POST").map((call) => call.body);

afterEach(cleanup);

describe("the list of dead letters", () => {
  it("leads to the message, the run, its queue or job, and those that failed alike", async () => {
    serve();
    show("/dead-letters");
    await screen.findByText("the mail server said no");
    expect(["Message #9007199254740993", "Run #41", "emails", "Countdown", "aa00"].map(href)).toEqual([
      "/queues/emails/messages/9007199254740993",
      "/runs/41",
      "/queues/emails",
      "/jobs/7",
      "/dead-letters?fingerprint=aa00",
    ]);
  });

  it("says what went wrong, and why nothing followed", async () => {
    serve();
    show("/dead-letters");
    expect((await screen.findByText("the mail server said no")).closest("td")?.textContent).toContain("5915ce9854f5c036 · Last attempt failed");
    expect(screen.getByText("out of disk").closest("td")?.textContent).toContain("aa00 · Timeout");
  });

  it("asks for what the address says, and exports the same", async () => {
    const calls = serve();
    show("/dead-letters?kind=MESSAGE&queue=emails&error=no&from=2026-11-01T00%3A00%3A00Z");
    await screen.findByText("out of disk");
    const query = "?kind=MESSAGE&queue=emails&error=no&from=2026-11-01T00%3A00%3A00.000Z";
    expect(calls.map((call) => call.url)).toContain(`/api/dead-letters${query}&limit=50`);
    expect(href("Export")).toBe(`/api/dead-letters/export${query}`);
  });

  it("offers a viewer nothing to do", async () => {
    serve();
    show("/dead-letters", "VIEWER");
    await screen.findByText("out of disk");
    expect(words()).toEqual([]);
    expect(screen.queryByText("Export")).toBeNull();
    expect(document.querySelectorAll("input[type=checkbox]")).toHaveLength(0);
  });

  it("offers to search further where not all was looked through, and goes on from there", async () => {
    const calls = serve({
      "GET /api/dead-letters": ({ url }) => ({ body: url.includes("after=9") ? { items: letters, next: null } : { items: [], next: "9" } }),
    });
    show("/dead-letters?error=disk");
    expect(await screen.findByText("Nothing found so far")).toBeTruthy();
    await press("Search further");
    expect(await screen.findByText("out of disk")).toBeTruthy();
    expect(screen.queryByText("Search further")).toBeNull();
    expect(calls.filter((call) => call.url.startsWith("/api/dead-letters"))).toHaveLength(2);
  });

  it("says another thing where nothing was given up and where nothing matches", async () => {
    serve({ "GET /api/dead-letters": { body: { items: [], next: null } } });
    show("/dead-letters");
    expect(await screen.findByText("Nothing was given up")).toBeTruthy();
    expect(words()).toEqual([]);
    cleanup();
    show("/dead-letters?queue=none");
    expect(await screen.findByText("Nothing matches these filters")).toBeTruthy();
  });

  it("says what is wrong: not allowed, or a filter that the server does not understand", async () => {
    serve({ "GET /api/dead-letters": { status: 403, body: {} } });
    show("/dead-letters");
    expect((await screen.findByRole("alert")).textContent).toContain("You may not see this");
    cleanup();
    serve({ "GET /api/dead-letters": { status: 400, body: { detail: "kind must be MESSAGE or RUN", code: "INVALID" } } });
    show("/dead-letters?kind=odd");
    expect((await screen.findByRole("alert")).textContent).toContain("kind must be MESSAGE or RUN INVALID");
  });
});

describe("dead letters by error", () => {
  it("are counted, and lead to the list of those of the group", async () => {
    const calls = serve();
    show("/dead-letters?view=groups&queue=emails&error=hidden");
    expect(await screen.findAllByText("1,200")).toHaveLength(2);
    expect([href("the mail server said no"), href("(no error text)")]).toEqual([
      "/dead-letters?kind=MESSAGE&queue=emails&fingerprint=5915ce9854f5c036",
      "/dead-letters?kind=RUN&jobId=7&fingerprint=5915ce9854f5c036",
    ]);
    expect(calls.map((call) => call.url)).toContain("/api/dead-letters/groups?queue=emails&limit=200");
    expect(screen.queryByLabelText("Error text")).toBeNull();
  });

  it("keep their view when the filter is cleared", async () => {
    serve({ "GET /api/dead-letters/groups": { body: { items: [] } } });
    const router = show("/dead-letters?view=groups&queue=emails");
    await press("Clear filters");
    await screen.findByText("Nothing was given up");
    expect(router.state.location.search).toBe("?view=groups");
  });
});

describe("deciding about many", () => {
  it("counts all that match, then begins with the same filter and a reason, and leads to the operation", async () => {
    const calls = serve();
    show("/dead-letters?queue=emails&from=-6h");
    await press("Retry all that match");
    expect(await screen.findByText("1,200 dead letters will be retried.")).toBeTruthy();
    fireEvent.change(screen.getByLabelText("Reason"), { target: { value: " the server is back " } });
    await press("Retry 1,200 dead letters");
    expect((await screen.findByRole("link", { name: "Open operation 5" })).getAttribute("href")).toBe("/operations/5");
    const [counted, begun] = asked(calls) as { filter: { from: string } }[];
    expect(counted).toMatchObject({ action: "RETRY", filter: { queue: "emails" }, dryRun: true });
    expect(begun).toMatchObject({ action: "RETRY", dryRun: false, reason: "the server is back" });
    // The range stands still from the question on.
    expect(begun?.filter).toEqual(counted?.filter);
    expect(counted?.filter.from).toMatch(/^\d{4}-.*Z$/);
  });

  it("is about all of them without a filter, and about those selected where some are", async () => {
    const calls = serve();
    show("/dead-letters");
    await press("Discard all");
    await screen.findByText("1,200 dead letters will be discarded.");
    await press("Cancel");
    fireEvent.click(screen.getByLabelText("Select Run 41"));
    await press("Discard 1 dead letter");
    await waitFor(() => expect(asked(calls)).toHaveLength(2));
    expect(asked(calls)).toEqual([
      { action: "DISCARD", all: true, dryRun: true },
      { action: "DISCARD", ids: ["11"], dryRun: true },
    ]);
    await press("Clear selection");
    expect(await findButton("Discard all")).toBeTruthy();
  });

  it("is seen in a list that a text was searched for, once it is over", async () => {
    const calls = serve({ "GET /api/operations/5": { body: operationWire("DONE") } });
    const listed = (): number => calls.filter((call) => call.url.startsWith("/api/dead-letters?")).length;
    show("/dead-letters?error=no");
    await press("Retry all that match");
    await press("Retry 1,200 dead letters");
    expect(listed()).toBe(1);
    await screen.findByText("Done");
    await waitFor(() => expect(listed()).toBe(2));
  });

  it("does not begin where nothing is dead any more, or nobody could count", async () => {
    serve({ "POST /api/operations": { body: { count: 0 } } });
    show("/dead-letters");
    await press("Retry all");
    expect(await screen.findByText("None of them is dead any more.")).toBeTruthy();
    expect((await findButton("Retry")).disabled).toBe(true);
    cleanup();
    serve({ "POST /api/operations": { status: 500, body: { detail: "the database is away", code: "INTERNAL" } } });
    show("/dead-letters");
    await press("Retry all");
    expect(await screen.findByText(/the database is away/)).toBeTruthy();
    expect((await findButton("Retry")).disabled).toBe(true);
  });
});
