import { describe, expect, it } from "vitest";
import { failuresOf, totalOf } from "./reports";

describe("a day of the report", () => {
  const day = { day: "2030-01-01", success: 5, failed: 1, timeout: 2, triggerFailed: 3, skipped: 40, averageMillis: 12 };

  it("counts skipped runs neither as failures nor among those that ended", () => {
    expect(failuresOf(day)).toBe(6);
    expect(totalOf(day)).toBe(11);
  });
});
