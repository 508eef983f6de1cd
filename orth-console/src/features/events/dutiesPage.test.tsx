import { cleanup, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { fakeServer } from "../../test/fakeFetch";
import { pagesAt } from "../../test/pages";
import DutiesPage from "./DutiesPage";

const show = pagesAt([{ path: "/duties", element: <DutiesPage /> }]);

const cluster = (databaseClockBehindMillis: number | null) => ({
  "GET /api/transitions/sinks": { body: [] },
  "GET /api/cluster": {
    body: {
      nodes: [{ number: 1, id: "host:1:abc", host: "host", pid: 1, version: "test", startedAt: "2030-01-01T12:00:00Z" }],
      duties: [],
      databaseClockBehindMillis,
    },
  },
});

describe("the duties page @must-first", () => {
  afterEach(cleanup);

  it("warns while the database's clock is behind, and says by how much", async () => {
    fakeServer(cluster(54_000));
    show("/duties", "VIEWER");
    const warning = await screen.findByRole("alert");
    expect(warning.textContent).toContain("The database's clock went back and is 54 s behind");
    expect(warning.textContent).toContain("Schedules, pushes and claims wait");
  });

  it("does not warn of a clock that is not", async () => {
    fakeServer(cluster(null));
    show("/duties", "VIEWER");
    await screen.findByText("host:1:abc");
    expect(screen.queryByRole("alert")).toBeNull();
  });
});
