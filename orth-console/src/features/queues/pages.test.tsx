import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { MessageStatus } from "../../api/messages";
import type { QueueMinuteWire } from "../../api/queues";
import type { Role } from "../../api/session";
import { messageWire, operationWire, queueWire } from "../../test/queueFactories";
import { fakeFetch, fakeServer } from "../../test/fakeFetch";
import { pagesAt, press, words } from "../../test/pages";
import MessagePage from "./MessagePage";
import QueuePage from "./QueuePage";
import QueuesPage from "./QueuesPage";

const show = pagesAt([
  { path: "/queues", Component: QueuesPage },
  { path: "/queues/:name", Component: QueuePage },
  { path: "/queues/:name/messages/:id", Component: MessagePage },
]);

/** A message of that status; its timeline is empty. */
function open(status: MessageStatus, role: Role = "OPERATOR"): void {
  fakeFetch({ body: messageWire(status, { metadata: { tenant: "acme" } }) }, { body: { items: [], next: null } });
  show("/queues/emails/messages/9007199254740993", role);
}

const part = (name: string): string => document.querySelector(`section[aria-label="${name}"]`)?.textContent ?? "";

afterEach(cleanup);

describe("the list of queues", () => {
  it("shows how each does, and what can be done about it", async () => {
    fakeFetch({ body: { items: [queueWire(), queueWire({ name: "invoices", paused: true })] } });
    show("/queues");
    expect((await screen.findByText("emails")).getAttribute("href")).toBe("/queues/emails");
    expect(screen.getAllByText("1,200")).toHaveLength(2);
    expect(screen.getAllByText("1 m 30 s")).toHaveLength(2);
    expect(screen.getByText("Paused").closest("tr")?.textContent).toContain("invoices");
    expect(words()).toEqual(expect.arrayContaining(["Push message into emails", "Pause emails", "Settings of emails", "Resume invoices"]));
  });

  it("offers a viewer nothing to do", async () => {
    fakeFetch({ body: { items: [queueWire()] } });
    show("/queues", "VIEWER");
    await screen.findByText("emails");
    expect(words()).toEqual([]);
  });

  it("keeps to the name in the address", async () => {
    fakeFetch({ body: { items: [queueWire(), queueWire({ name: "invoices" })] } });
    show("/queues?q=INV");
    expect(await screen.findByText("invoices")).toBeTruthy();
    expect(screen.queryByText("emails")).toBeNull();
  });

  it("asks the server for the name, and says where there are more", async () => {
    const calls = fakeFetch({ body: { items: [queueWire()], next: "emails" } });
    show("/queues?q=ema");
    expect(await screen.findByText(/search by name for others/)).toBeTruthy();
    expect(calls[0]?.url).toBe("/api/queues?q=ema");
  });

  it("says how to get one where there is none, and another thing where none matches", async () => {
    fakeFetch({ body: { items: [] } });
    show("/queues");
    expect(await screen.findByText(/made when the first message is pushed/)).toBeTruthy();
    cleanup();
    fakeFetch({ body: { items: [queueWire()] } });
    show("/queues?q=none");
    expect(await screen.findByText("Nothing matches these filters")).toBeTruthy();
  });

  it("says what is wrong: not allowed, or an error of the server", async () => {
    fakeFetch({ status: 403, body: {} });
    show("/queues");
    expect((await screen.findByRole("alert")).textContent).toContain("You may not see this");
    cleanup();
    fakeFetch({ status: 500, body: { detail: "the database is away", code: "INTERNAL" } });
    show("/queues");
    expect((await screen.findByRole("alert")).textContent).toContain("the database is away INTERNAL");
  });
});

describe("a queue", () => {
  it("that does not exist says so", async () => {
    fakeFetch({ status: 404, body: {} });
    show("/queues/none");
    expect((await screen.findByRole("alert")).textContent).toContain("This does not exist");
  });

  it("lists the messages of the status in the address; only operators can select dead ones", async () => {
    for (const [role, boxes] of [["VIEWER", 0], ["OPERATOR", 2]] as const) {
      const calls = fakeServer({
        "GET /api/queues/emails": { body: queueWire() },
        "GET /api/queues/emails/messages": { body: { items: [messageWire("DEAD")], next: null } },
      });
      show("/queues/emails?status=DEAD", role);
      // One after the other: each needs the page for itself.
      // oxlint-disable-next-line no-await-in-loop
      expect((await screen.findByText("the mail server said no")).closest("tr")?.textContent).toContain("5915ce9854f5c036");
      expect(document.querySelectorAll("input[type=checkbox]")).toHaveLength(boxes);
      expect(screen.getByText(/among the dead letters/).getAttribute("href")).toBe("/dead-letters?queue=emails");
      expect(calls.map((call) => call.url)).toContain("/api/queues/emails/messages?status=DEAD&limit=50");
      cleanup();
    }
  });
});

const minuteWire = (minute: string, done: number, failed: number): QueueMinuteWire => {
  const nothing = { pushed: 0, claimed: 0, dead: 0, waitMillis: null, runMillis: null };
  return { ...nothing, minute, done, failed };
};

const withThroughput = (items: QueueMinuteWire[]) => ({
  "GET /api/queues/emails": { body: queueWire() },
  "GET /api/queues/emails/messages": { body: { items: [], next: null } },
  "GET /api/queues/emails/throughput": { body: { from: "2030-01-01T12:00:00Z", to: "2030-01-01T12:03:30Z", items } },
});

describe("the throughput of a queue", () => {
  it("is a bar for each minute, also for those in which nothing happened", async () => {
    fakeServer(withThroughput([minuteWire("2030-01-01T12:00:00Z", 900, 0), minuteWire("2030-01-01T12:02:00Z", 300, 34)]));
    show("/queues/emails");
    expect(await screen.findByText("Last hour: 1,200 done, 34 failed; at most 900 a minute")).toBeTruthy();
    expect(document.querySelectorAll(".day-bars g")).toHaveLength(4);
  });

  it("is left out where there was none", async () => {
    fakeServer(withThroughput([]));
    show("/queues/emails");
    await screen.findByRole("heading", { name: "emails" });
    expect(screen.queryByText(/Last hour/)).toBeNull();
  });
});

const type = (text: string): boolean => fireEvent.change(screen.getByLabelText("Type emails to confirm"), { target: { value: text } });

describe("purging a queue", () => {
  const routes = {
    "GET /api/queues/emails": { body: queueWire() },
    "GET /api/queues/emails/messages": { body: { items: [], next: null } },
    "POST /api/queues/emails/purge": { status: 202, body: operationWire("RUNNING", { action: "PURGE", queue: "emails", filter: null }) },
    "GET /api/operations/5": { body: operationWire("RUNNING", { action: "PURGE", queue: "emails", filter: null }) },
  };

  it("says how many wait, takes only its name, and leads to the operation", async () => {
    const calls = fakeServer(routes);
    show("/queues/emails");
    await press("Purge emails");
    expect(await screen.findByText("1,200 messages wait.")).toBeTruthy();
    type("email");
    await press("Purge");
    expect(await screen.findByText("This is not the name of the queue")).toBeTruthy();
    expect(calls.filter((call) => call.method === "POST")).toEqual([]);
    type("emails");
    await press("Purge");
    expect((await screen.findByRole("link", { name: "Open operation 5" })).getAttribute("href")).toBe("/operations/5");
    expect(calls.find((call) => call.method === "POST")?.body).toEqual({ confirm: "emails" });
  });

  it("is for operators, on the queue's own page only", async () => {
    fakeServer({ ...routes, "GET /api/queues": { body: { items: [queueWire()] } } });
    show("/queues/emails", "VIEWER");
    await screen.findByRole("heading", { name: "emails" });
    expect(words()).toEqual([]);
    cleanup();
    show("/queues");
    await screen.findByText("emails");
    expect(words().filter((word) => word.includes("Purge"))).toEqual([]);
  });
});

describe("a message", () => {
  it("that was given up shows why, and can be retried or discarded", async () => {
    open("DEAD");
    await screen.findByText("tenant=acme");
    expect(part("Error")).toContain("the mail server said no\n\tat Mail.send");
    expect(part("Payload")).toContain('{\n  "to": "ann"\n}');
    expect(words()).toEqual(expect.arrayContaining(["Retry", "Discard"]));
  });

  it("can be discarded while it waits, killed while it runs, and left alone when it is done", async () => {
    const offered: Record<string, string[]> = {};
    for (const status of ["WAITING", "RUNNING", "DONE"] as const) {
      open(status);
      // oxlint-disable-next-line no-await-in-loop
      await screen.findByText("tenant=acme");
      offered[status] = words().filter((word) => ["Retry", "Discard", "Kill"].includes(word));
      cleanup();
    }
    expect(offered).toEqual({ WAITING: ["Discard"], RUNNING: ["Kill"], DONE: [] });
  });

  it("can be killed while it runs, with a reason", async () => {
    const wire = messageWire("RUNNING", { metadata: { tenant: "acme" } });
    const calls = fakeServer({
      [`GET /api/queues/emails/messages/${wire.id}`]: { body: wire },
      [`POST /api/queues/emails/messages/${wire.id}/kill`]: {
        body: { id: wire.id, outcome: "ENDING", status: "RUNNING", detail: "its executor is ending it" },
      },
    });
    show(`/queues/emails/messages/${wire.id}`);
    await screen.findByText("tenant=acme");
    await press("Kill");
    fireEvent.change(await screen.findByLabelText("Reason"), { target: { value: " stuck " } });
    fireEvent.click(screen.getAllByRole("button", { name: "Kill" }).at(-1) as HTMLElement);
    expect(await screen.findByText(/is being ended \(its executor is ending it\)/)).toBeTruthy();
    expect(calls.find((call) => call.method === "POST")?.body).toEqual({ reason: "stuck" });
  });

  it("offers a viewer nothing but to copy", async () => {
    open("DEAD", "VIEWER");
    await screen.findByText("tenant=acme");
    expect(new Set(words())).toEqual(new Set(["Copy"]));
  });
});
