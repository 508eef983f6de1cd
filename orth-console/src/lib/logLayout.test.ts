import { describe, expect, it } from "vitest";
import { LineBuffer } from "./lineBuffer";
import { columnsIn, columnsOf, LogLayout, maxShownChars } from "./logLayout";

const bufferOf = (...lines: string[]): LineBuffer => {
  const buffer = new LineBuffer({ maxLines: 10, maxChars: 1_000_000 });
  buffer.append({ from: 0, to: 1_000_000, text: lines.join("\n") });
  return buffer;
};

describe("where lines stand", () => {
  it("is one row each when they are not wrapped", () => {
    const layout = new LogLayout(bufferOf("a", "b".repeat(500), "c"), 0).follow();
    expect([layout.rows, layout.width, layout.startOf(2)]).toEqual([3, 500, 2]);
  });

  it("is as many rows as a wrapped line needs", () => {
    const layout = new LogLayout(bufferOf("a", "b".repeat(25), "", "d".repeat(20)), 10).follow();
    expect([0, 1, 2, 3, 4].map((line) => layout.startOf(line))).toEqual([0, 1, 4, 5, 7]);
    expect([0, 1, 3, 4, 5, 6, 99].map((row) => layout.lineAt(row))).toEqual([0, 1, 1, 2, 3, 3, 3]);
    expect(layout.width).toBe(0);
  });

  it("follows a line that grows and lines that are let go", () => {
    const buffer = bufferOf("a", "b");
    const layout = new LogLayout(buffer, 10).follow();
    buffer.append({ from: 1_000_000, to: 1_000_030, text: "b".repeat(30) });
    expect(layout.follow().rows).toBe(5);
    buffer.append({ from: 1_000_030, to: 1_000_060, text: "\nx".repeat(12) });
    expect(layout.follow().lines).toBe(buffer.length);
    expect(layout.rows).toBe(buffer.length);
  });

  it("is found for no lines at all", () => {
    const layout = new LogLayout(new LineBuffer(), 10).follow();
    expect([layout.rows, layout.lineAt(5), layout.startOf(3)]).toEqual([0, 0, 0]);
  });

  it("counts wide characters twice and a cut line only as far as it is shown", () => {
    expect(columnsOf("日志ab")).toBe(6);
    expect(columnsOf("x".repeat(50_000))).toBe(maxShownChars);
  });

  it("has room for a few columns even where there is none", () => {
    expect(columnsIn(10, 7)).toBe(20);
    expect(columnsIn(784, 7)).toBe(100);
    expect(columnsIn(800, 0)).toBe(0);
  });
});
