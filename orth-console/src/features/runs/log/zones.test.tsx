import { cleanup, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { LogPanel } from "./LogPanel";
import { pagesAt } from "../../../test/pages";
import { LineBuffer } from "../../../lib/lineBuffer";
import { zoneOffset } from "../../../lib/time";

afterEach(cleanup);

describe("time zones @must-first", () => {
  it("are written with their distance from UTC at that time of the year", () => {
    const [winter, summer] = [new Date("2026-01-15T12:00:00Z"), new Date("2026-07-15T12:00:00Z")];
    expect([zoneOffset(winter, "Europe/Berlin"), zoneOffset(summer, "Europe/Berlin")]).toEqual(["UTC+1", "UTC+2"]);
    expect([zoneOffset(winter, "UTC"), zoneOffset(winter, "Asia/Kolkata"), zoneOffset(winter, "America/New_York")]).toEqual(["UTC+0", "UTC+5:30", "UTC-5"]);
  });

  it("of the lines of a log are said to be the executor's", () => {
    const log = { buffer: new LineBuffer(), state: "ended" as const, message: "", progress: null, exists: true, skipped: 0, revision: 0 };
    const panel = <LogPanel log={log} label="Log 1" fileName="1.log" readWhole={() => Promise.resolve([])} offline="" placeholder="nothing" />;
    pagesAt([{ path: "/", element: panel }])("/");
    expect(screen.getByText("line times: executor’s clock and time zone")).toBeTruthy();
  });
});
