import { getI18n } from "react-i18next";
import { afterEach, describe, expect, it } from "vitest";
import { noSchedule, type Schedule } from "../api/schedules";
import { elapsed, parseDuration, splitDuration, toIsoDuration } from "./duration";
import { switchLanguage } from "./i18n";
import { readPreferences } from "./preferences";
import { safeTarget } from "./safeTarget";
import { cronWords, scheduleWords } from "./scheduleWords";
import { formatClock, formatExact, formatInstant, relativeTime, resolveInstant, resolveRange } from "./time";

const words = (schedule: Partial<Schedule> & Pick<Schedule, "type">, language = "en"): string =>
  scheduleWords({ ...noSchedule, ...schedule }, getI18n().t, language);

afterEach(() => switchLanguage("en"));

describe("a schedule in words", () => {
  it("reads cron in the Quartz dialect, where Sunday is 1", () => {
    expect(words({ type: "CRON", cron: "0 30 2 * * ?", zone: "UTC" })).toBe("At 02:30");
    expect(cronWords("0 0 9 ? * 2", "en")).toBe("At 09:00, only on Monday");
    expect(cronWords("0 0/15 8-18 ? * MON-FRI", "en")).toBe("Every 15 minutes, between 08:00 and 18:59, Monday through Friday");
  });

  it("leaves an expression that it cannot read as it is", () => {
    expect(words({ type: "CRON", cron: "nonsense" })).toBe("nonsense");
    expect(cronWords("0 0 2 * *", "en")).toBeNull();
  });

  it("says an interval in the largest unit that fits", () => {
    expect(words({ type: "FIXED_RATE", interval: "PT1S" })).toBe("Every second");
    expect(words({ type: "FIXED_RATE", interval: "PT90S" })).toBe("Every 90 seconds");
    expect(words({ type: "FIXED_RATE", interval: "PT2H" })).toBe("Every 2 hours");
    expect(words({ type: "FIXED_RATE", interval: "P1D" })).toBe("Every day");
    expect(words({ type: "FIXED_RATE", interval: "odd" })).toBe("odd");
  });

  it("says a delay after the end, and a single time", () => {
    expect(words({ type: "FIXED_DELAY", interval: "PT1M" })).toBe("One minute after each run has ended");
    expect(words({ type: "FIXED_DELAY", interval: "PT0.5S" })).toBe("0.5 seconds after each run has ended");
    expect(words({ type: "ONE_SHOT", at: "2026-11-03T13:05:09Z" })).toBe(`Once, at ${formatInstant(new Date("2026-11-03T13:05:09Z"))}`);
  });

  it("speaks Chinese", async () => {
    await switchLanguage("zh");
    expect(words({ type: "FIXED_RATE", interval: "PT5M" }, "zh")).toBe("每 5 分钟");
    expect(words({ type: "NONE" }, "zh")).toBe("仅手动");
    expect(words({ type: "CRON", cron: "0 30 2 * * ?" }, "zh")).toContain("02:30");
  });
});

describe("durations", () => {
  it("are read as Java writes them and written back", () => {
    expect(parseDuration("PT1H30M0.5S")).toBe(5400.5);
    expect(parseDuration("P2DT1S")).toBe(172_801);
    expect(["P", "PT", "30", "P1M"].map(parseDuration)).toEqual([null, null, null, null]);
    for (const seconds of [1, 30, 60, 90, 3600, 7200, 86_400, 90_000]) {
      const { amount, unit } = splitDuration(seconds);
      expect(parseDuration(toIsoDuration(amount, unit))).toBe(seconds);
    }
  });

  it("are short to read", () => {
    expect([0, 412, 3400, 59_940, 59_960, 125_000, 3_840_000, 266_400_000].map(elapsed)).toEqual([
      "0 ms",
      "412 ms",
      "3.4 s",
      "59.9 s",
      "1 m 00 s",
      "2 m 05 s",
      "1 h 04 m",
      "3 d 02 h",
    ]);
  });
});

describe("times", () => {
  const at = new Date("2026-11-03T13:05:09.120Z");
  const ago = (seconds: number, language = "en") => relativeTime(at, new Date(at.getTime() + seconds * 1000), language);

  it("are shown in a zone and exactly with its name", () => {
    expect(formatInstant(at, "Asia/Shanghai")).toBe("2026-11-03 21:05:09");
    expect(formatClock(at, "UTC")).toBe("13:05:09");
    expect(formatExact(at, "Europe/Berlin")).toBe("2026-11-03 14:05:09.120 Europe/Berlin");
  });

  it("are relative in the viewer's language", () => {
    expect([ago(5), ago(-7200)]).toEqual(["5s ago", "in 2h"]);
    expect(ago(125)).toMatch(/^2m(in)? ago$/);
    expect(ago(125, "zh")).toBe("2分钟前");
  });

  it("of a range are so long ago, or an instant", () => {
    expect(resolveInstant("-6h", at)?.toISOString()).toBe("2026-11-03T07:05:09.120Z");
    expect(resolveInstant("2026-11-01T00:00:00Z", at)?.toISOString()).toBe("2026-11-01T00:00:00.000Z");
    expect(resolveInstant("yesterday", at)).toBeNull();
    expect(resolveRange({ q: "x", from: "-6h", to: "yesterday" }, at)).toEqual({ q: "x", from: "2026-11-03T07:05:09.120Z", to: "yesterday" });
  });
});

describe("where to go after the login", () => {
  it("is a page of this site", () => {
    expect(safeTarget("/runs?status=FAILED")).toBe("/runs?status=FAILED");
    for (const bad of [null, "//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)", "/login"]) {
      expect(safeTarget(bad)).toBe("/jobs");
    }
  });
});

describe("preferences", () => {
  const defaults = { language: "en", theme: "light", railCollapsed: false, wrapLog: false } as const;

  it("are what was stored, as far as it makes sense", () => {
    expect(readPreferences('{"language":"zh","theme":"neon","wrapLog":true}', defaults)).toEqual({
      ...defaults,
      language: "zh",
      wrapLog: true,
    });
  });

  it("survive what is not theirs", () => {
    expect(["{broken", "null", "[]", "7", null].map((stored) => readPreferences(stored, defaults))).toEqual(
      Array.from({ length: 5 }, () => defaults),
    );
  });
});
