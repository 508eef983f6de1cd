import { cleanup, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { LogPanel } from "./LogPanel";
import { pagesAt } from "../../../test/pages";
import { LineBuffer } from "../../../lib/lineBuffer";
import { zoneLabel } from "../../../lib/time";

afterEach(cleanup);

const show = (zone: string | null): void => {
  const log = { buffer: new LineBuffer(), state: "ended" as const, message: "", progress: null, zone, exists: true, skipped: 0, revision: 0 };
  const panel = <LogPanel log={log} label="Log 1" fileName="1.log" readWhole={() => Promise.resolve([])} offline="" placeholder="nothing" />;
  pagesAt([{ path: "/", element: panel }])("/");
};

describe("time zones @must-first", () => {
  it("are shown with their offset from UTC at that time of the year", () => {
    const [winter, summer] = [new Date("2026-01-15T12:00:00Z"), new Date("2026-07-15T12:00:00Z")];
    expect([zoneLabel(winter, "Europe/Berlin"), zoneLabel(summer, "Europe/Berlin")]).toEqual(["Europe/Berlin UTC+1", "Europe/Berlin UTC+2"]);
    expect([zoneLabel(winter, "UTC"), zoneLabel(winter, "Asia/Kolkata"), zoneLabel(winter, "America/New_York")]).toEqual(["UTC", "Asia/Kolkata UTC+5:30", "America/New_York UTC-5"]);
  });

  it("of the lines of a log are named as the executor registered them", () => {
    show("Asia/Kolkata");
    expect(screen.getByText("line times: executor’s clock, Asia/Kolkata")).toBeTruthy();
  });

  it("of the lines of a log are said to be the executor's where it named none", () => {
    show(null);
    expect(screen.getByText("line times: executor’s clock and time zone")).toBeTruthy();
  });
});
