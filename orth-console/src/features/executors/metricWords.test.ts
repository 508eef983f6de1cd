import { describe, expect, it } from "vitest";
import { linePoints, megabytes, percent } from "./metricWords";

describe("metrics in words", () => {
  it("say the load as a share of all cores", () => {
    expect([percent(0.155), percent(0), percent(2.5)]).toEqual(["16 %", "0 %", "250 %"]);
  });

  it("say nothing where nothing is known", () => {
    expect([percent(null), percent(undefined)]).toEqual([null, null]);
  });

  it("say large memory in gigabytes", () => {
    expect([megabytes(0), megabytes(9999), megabytes(20_480)]).toEqual(["0 MB", "9999 MB", "20.0 GB"]);
  });
});

describe("a line", () => {
  it("goes from the first value at the left to the last at the right, the largest at the top", () => {
    expect(linePoints([0, 5, 10], 100, 20)).toBe("0.0,20.0 50.0,10.0 100.0,0.0");
  });

  it("lies at the bottom where all is zero, and is a point where there is one value", () => {
    expect(linePoints([0, 0], 100, 20)).toBe("0.0,20.0 100.0,20.0");
    expect(linePoints([3], 100, 20)).toBe("0.0,0.0");
  });
});
