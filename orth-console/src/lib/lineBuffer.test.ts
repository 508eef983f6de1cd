import { describe, expect, it } from "vitest";
import { LineBuffer } from "./lineBuffer";

const bytes = (text: string): number => new TextEncoder().encode(text).length;
const chunk = (from: number, text: string) => ({ from, to: from + bytes(text), text });
const linesOf = (buffer: LineBuffer): string[] => Array.from({ length: buffer.length }, (_, index) => buffer.line(index));
const esc = String.fromCharCode(27);

describe("a buffer of lines", () => {
  it("joins a line that came in pieces", () => {
    const buffer = new LineBuffer();
    buffer.append(chunk(0, "one\ntw"));
    buffer.append(chunk(6, "o\r\nthree\n"));
    expect(linesOf(buffer)).toEqual(["one", "two", "three"]);
    expect(buffer.offset).toBe(15);
  });

  it("keeps empty lines and shows an unfinished last one", () => {
    const buffer = new LineBuffer();
    buffer.append(chunk(0, "\n\na"));
    expect(linesOf(buffer)).toEqual(["", "", "a"]);
  });

  it("drops what it has seen", () => {
    const buffer = new LineBuffer();
    buffer.append(chunk(0, "one\n"));
    expect(buffer.append(chunk(0, "one\n"))).toBe("repeated");
    expect(linesOf(buffer)).toEqual(["one"]);
  });

  it("cuts an overlap by bytes, not by characters", () => {
    const buffer = new LineBuffer();
    buffer.append(chunk(0, "日志\n"));
    expect(buffer.append({ from: 0, to: 11, text: "日志\nend\n" })).toBe("added");
    expect(linesOf(buffer)).toEqual(["日志", "end"]);
  });

  it("refuses a chunk after a gap, and takes it when told that the bytes are gone", () => {
    const buffer = new LineBuffer();
    buffer.append(chunk(0, "one\n"));
    expect(buffer.append(chunk(10, "ten\n"))).toBe("gap");
    expect(buffer.offset).toBe(4);
    expect(buffer.append(chunk(10, "ten\n"), true)).toBe("added");
    expect(linesOf(buffer)).toEqual(["one", "ten"]);
    expect(buffer.offset).toBe(14);
  });

  it("gives the same lines however the bytes are cut", () => {
    const text = "first\nsecond 日志 line\n\nlast";
    for (let size = 1; size < text.length; size++) {
      const buffer = new LineBuffer();
      for (let at = 0; at < text.length; at += size) {
        buffer.append(chunk(bytes(text.slice(0, at)), text.slice(at, at + size)));
      }
      expect(linesOf(buffer)).toEqual(text.split("\n"));
    }
  });

  it("knows the colour each line starts with", () => {
    const buffer = new LineBuffer();
    buffer.append(chunk(0, `${esc}[31mred\nstill red${esc}[0m\nplain\n`));
    expect([0, 1, 2].map((line) => buffer.styleAt(line).fg)).toEqual([null, 1, null]);
  });

  it("lets old lines go past its limit and keeps counting", () => {
    const buffer = new LineBuffer({ maxLines: 100, maxChars: 1_000_000 });
    for (let line = 1; line <= 250; line++) {
      buffer.append(chunk(buffer.offset, `line ${line}\n`));
      expect(buffer.length).toBeLessThanOrEqual(100);
    }
    expect(buffer.dropped + buffer.length).toBe(250);
    expect(buffer.line(buffer.length - 1)).toBe("line 250");
    expect(buffer.line(0)).toBe(`line ${buffer.dropped + 1}`);
  });

  it("also bounds the characters, but never drops the last line", () => {
    const buffer = new LineBuffer({ maxLines: 100, maxChars: 50 });
    buffer.append(chunk(0, `${"x".repeat(40)}\n${"y".repeat(200)}\n`));
    expect(linesOf(buffer)).toEqual(["y".repeat(200)]);
  });
});
