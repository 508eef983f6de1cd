import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { fakeFetch } from "../../test/fakeFetch";
import { pagesAt } from "../../test/pages";
import { RejectedRegistrations } from "./RejectedRegistrations";

const show = pagesAt([{ path: "/", element: <RejectedRegistrations /> }]);

const rejected = {
  address: "http://executor-7:9999/",
  groupName: "billing",
  peer: "10.0.0.7",
  reason: "INVALID_ADDRESS",
  message: "must name the executor by its IP address, got executor-7",
  attemptCount: 42,
  firstSeenAt: "2030-01-01T12:00:00Z",
  lastSeenAt: "2030-01-01T13:00:00Z",
};

describe("rejected registrations @must-first", () => {
  it("are listed with who asked for what, how often, and why not", async () => {
    const calls = fakeFetch({ body: [rejected, { ...rejected, address: null, groupName: null, reason: "WRONG_TOKEN" }] });
    show("/", "VIEWER");
    const row = (await screen.findByText("http://executor-7:9999/")).closest("tr")?.textContent ?? "";
    expect(row).toContain("billing");
    expect(row).toContain("Invalid address");
    expect(row).toContain("must name the executor by its IP address, got executor-7");
    expect(row).toContain("42");
    expect(row).toContain("10.0.0.7");
    expect(screen.getByText("Wrong access token")).toBeTruthy();
    expect(calls[0]?.url).toBe("/api/rejected-registrations");
  });
});
