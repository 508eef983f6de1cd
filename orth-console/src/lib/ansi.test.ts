import { describe, expect, it } from "vitest";
import { applySgr, parseAnsi, plainStyle, stripAnsi, styleAfter } from "./ansi";

const esc = String.fromCharCode(27);
const texts = (line: string) => parseAnsi(line).spans.map((span) => span.text);

describe("a coloured line", () => {
  it("is split where the style changes", () => {
    const { spans, end } = parseAnsi(`a${esc}[31mred${esc}[1mbold${esc}[0mz`);
    expect(spans.map(({ text, style }) => [text, style.fg, style.bold])).toEqual([
      ["a", null, false],
      ["red", 1, false],
      ["bold", 1, true],
      ["z", null, false],
    ]);
    expect(end).toEqual(plainStyle);
  });

  it("knows all sixteen colours, for text and ground", () => {
    for (let colour = 0; colour < 8; colour++) {
      expect(applySgr(plainStyle, String(30 + colour)).fg).toBe(colour);
      expect(applySgr(plainStyle, String(90 + colour)).fg).toBe(8 + colour);
      expect(applySgr(plainStyle, String(40 + colour)).bg).toBe(colour);
      expect(applySgr(plainStyle, String(100 + colour)).bg).toBe(8 + colour);
    }
  });

  it("takes several settings at once, and an empty one as reset", () => {
    expect(applySgr(plainStyle, "1;32;44")).toEqual({ fg: 2, bg: 4, bold: true });
    expect(applySgr({ fg: 2, bg: 4, bold: true }, "")).toEqual(plainStyle);
    expect(applySgr({ fg: 2, bg: 4, bold: true }, "22;39;49")).toEqual(plainStyle);
  });

  it("skips colours it does not show, and nothing after them", () => {
    expect(applySgr(plainStyle, "38;5;196;1")).toEqual({ fg: null, bg: null, bold: true });
    expect(applySgr(plainStyle, "48;2;1;2;3;31")).toEqual({ fg: 1, bg: null, bold: false });
  });

  it("carries its style into the next line", () => {
    const { end } = parseAnsi(`${esc}[33mstarts`);
    expect(end.fg).toBe(3);
    expect(parseAnsi("goes on", end).spans[0]?.style.fg).toBe(3);
    expect(styleAfter(`${esc}[33mstarts`, plainStyle)).toEqual(end);
  });
});

describe("other escapes", () => {
  it("are never shown", () => {
    expect(texts(`a${esc}[2Kb${esc}[1;5Hc`)).toEqual(["a", "b", "c"]);
    expect(texts(`${esc}]8;;https://example.org${String.fromCharCode(7)}link${esc}]8;;${esc}\\`)).toEqual(["link"]);
    expect(texts(`a${esc}(Bb`).join("")).not.toContain(esc);
    expect(texts(`end${esc}[3`)).toEqual(["end"]);
    expect(texts(`end${esc}`)).toEqual(["end"]);
  });

  it("leave no control character behind but tab", () => {
    expect(texts("a\u0000b\u0007c\td\r")).toEqual(["abc\td"]);
  });

  it("are removed for the clipboard", () => {
    expect(stripAnsi(`${esc}[1;32mlift-off${esc}[0m`)).toBe("lift-off");
    expect(stripAnsi("plain")).toBe("plain");
  });
});

describe("markup", () => {
  it("is only text", () => {
    expect(texts("<img src=x onerror=alert(1)>")).toEqual(["<img src=x onerror=alert(1)>"]);
  });
});
