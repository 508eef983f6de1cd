import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, fireEvent, render, screen } from "@testing-library/react";
import { App } from "antd";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { AlertRule, AlertWire } from "../../api/queueAlerts";
import type { Role } from "../../api/session";
import { createQueryClient } from "../../lib/queryClient";
import { alertRule, alertWire, queueWire } from "../../test/queueFactories";
import { type Call, fakeFetch } from "../../test/fakeFetch";
import { SessionProvider } from "../auth/session";
import QueuesPage from "../queues/QueuesPage";
import QueueAlertsPage from "./QueueAlertsPage";

vi.setConfig({ testTimeout: 60_000 });
configure({ asyncUtilTimeout: 20_000 });

function show(address: string, role: Role): void {
  const routes = [
    { path: "/queues", Component: QueuesPage },
    { path: "/queue-alerts", Component: QueueAlertsPage },
  ];
  render(
    <App>
      <QueryClientProvider client={createQueryClient()}>
        <SessionProvider session={{ user: "ann", role }}>
          <RouterProvider router={createMemoryRouter(routes, { initialEntries: [address] })} />
        </SessionProvider>
      </QueryClientProvider>
    </App>,
  );
}

const page = (items: unknown[]) => ({ body: { items, next: null } });

/** The page asks for what fires, for the rules and for what has fired, in this order. */
function open(parts: { firing?: AlertWire[]; rules?: AlertRule[]; ended?: AlertWire[] }, role: Role = "OPERATOR", ...more: object[]): Call[] {
  const calls = fakeFetch(page(parts.firing ?? []), page(parts.rules ?? []), page(parts.ended ?? []), ...more);
  show("/queue-alerts", role);
  return calls;
}

const rowOf = async (text: string): Promise<string> => (await screen.findByText(text)).closest("tr")?.textContent ?? "";

afterEach(cleanup);

describe("the page of alerts", () => {
  it("shows what fires, what is watched for and what has fired", async () => {
    const calls = open({
      firing: [alertWire()],
      rules: [
        alertRule({ oldestSeconds: 120 }),
        alertRule({ id: "2", name: "Failures", kind: "FAILURE_RATIO", waiting: null, ratio: 0.5, minEnded: 50, overSeconds: 300, queue: "orders" }),
        alertRule({ id: "3", name: "Nobody", kind: "NO_WORKERS", waiting: null, forSeconds: 60 }),
      ],
      ended: [alertWire({ id: "6", queue: "invoices", endedAt: "2026-11-03T13:02:05Z", endedBy: "RECOVERED" })],
    });
    expect((await screen.findByText("emails")).getAttribute("href")).toBe("/queues/emails");
    expect(await rowOf("emails")).toContain("1200 messages wait, the oldest due for 90 s");
    expect(await rowOf("invoices")).toContain("2 m 05 s");
    expect(await rowOf("invoices")).toContain("Recovered");
    expect(document.body.textContent).toContain("1,000 or more messages wait, or one has been due for 2 min");
    expect(await rowOf("Failures")).toContain("orders50% of at least 50 attempts failed in 5 min");
    expect(await rowOf("Nobody")).toContain("All queuesmessages wait and no executor asks for them1 min");
    expect(calls.map(({ url }) => url)).toEqual([
      "/api/queue-alerts?firing=true&limit=200",
      "/api/queue-alerts/rules",
      "/api/queue-alerts?firing=false&limit=50",
    ]);
  });

  it("offers a viewer nothing to change", async () => {
    open({ rules: [alertRule({ enabled: false })] }, "VIEWER");
    expect(await rowOf("Backlog")).toContain("off");
    expect(document.querySelectorAll("button")).toHaveLength(0);
  });

  it("says so where nothing fires", async () => {
    open({});
    expect(await screen.findByText("Nothing fires")).toBeTruthy();
    expect(await screen.findByText("Nothing has fired yet")).toBeTruthy();
    expect(await screen.findByText("There are no rules")).toBeTruthy();
  });

  it("switches a rule off with the version that was read", async () => {
    const calls = open({ rules: [alertRule()] }, "OPERATOR", { body: alertRule({ enabled: false, version: 4 }) });
    fireEvent.click(await screen.findByRole("switch", { name: "Whether Backlog is on" }));
    await vi.waitFor(() => expect(calls.some(({ method }) => method === "PUT")).toBe(true));
    expect(calls.find(({ method }) => method === "PUT")).toMatchObject({
      url: "/api/queue-alerts/rules/1",
      body: { name: "Backlog", enabled: false, waiting: 1000, version: 3 },
    });
  });
});

describe("the list of queues", () => {
  it("marks those that an alert fires for", async () => {
    fakeFetch(
      { body: { items: [queueWire(), queueWire({ name: "invoices" })] } },
      { body: { items: [alertWire({ queue: "invoices" })], next: null } },
    );
    show("/queues", "VIEWER");
    expect((await screen.findByText("Alert")).closest("tr")?.textContent).toContain("invoices");
    expect(screen.getAllByText("Alert")).toHaveLength(1);
  });
});
