/** Colours 0–7 are the normal ones, 8–15 the bright ones, in the order of the terminal. */
export type AnsiStyle = { fg: number | null; bg: number | null; bold: boolean };

/** `at` is where the span starts in the line it came from. */
export type AnsiSpan = { at: number; text: string; style: AnsiStyle };

export const plainStyle: AnsiStyle = Object.freeze({ fg: null, bg: null, bold: false });

const esc = String.fromCharCode(27);
const bell = String.fromCharCode(7);

/**
 * Every escape sequence: CSI (kept when it ends in m), OSC up to its end, and two-character ones. An unfinished
 * sequence at the end of the text is also matched, so that it is never shown.
 */
const sequence = new RegExp(
  `${esc}(?:\\[([0-9;:?<=>]*)([ -/]*[@-~])?|\\][^${bell}${esc}]*(?:${bell}|${esc}\\\\)?|[^\\[\\]]?)`,
  "g",
);

/** Control characters other than tab have no look of their own. */
const isControl = (code: number): boolean => (code < 32 && code !== 9) || code === 127;

function withoutControls(text: string): string {
  for (let i = 0; i < text.length; i++) {
    if (isControl(text.charCodeAt(i))) {
      return Array.from(text)
        .filter((char) => !isControl(char.charCodeAt(0)))
        .join("");
    }
  }
  return text;
}

/** How many parameters an extended colour (38/48) takes after itself; those colours are skipped. */
const extendedLength = (kind: number | undefined): number => (kind === 5 ? 2 : kind === 2 ? 4 : 0);

/** The style after one SGR sequence. Unknown parameters change nothing. */
export function applySgr(style: AnsiStyle, parameters: string): AnsiStyle {
  let { fg, bg, bold } = style;
  const codes = parameters.split(/[;:]/).map((each) => (each === "" ? 0 : Number(each)));
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code === 0) {
      fg = null;
      bg = null;
      bold = false;
    } else if (code === 1 || code === 22) {
      bold = code === 1;
    } else if (code >= 30 && code <= 37) {
      fg = code - 30;
    } else if (code >= 90 && code <= 97) {
      fg = code - 82;
    } else if (code === 39) {
      fg = null;
    } else if (code >= 40 && code <= 47) {
      bg = code - 40;
    } else if (code >= 100 && code <= 107) {
      bg = code - 92;
    } else if (code === 49) {
      bg = null;
    } else if (code === 38 || code === 48) {
      i += extendedLength(codes[i + 1]);
    }
  }
  return fg === null && bg === null && !bold ? plainStyle : { fg, bg, bold };
}

/** Splits one line into runs of equal style; `end` is the style the next line starts with. */
export function parseAnsi(line: string, start: AnsiStyle = plainStyle): { spans: AnsiSpan[]; end: AnsiStyle } {
  const spans: AnsiSpan[] = [];
  let style = start;
  let from = 0;
  const take = (to: number): void => {
    const text = withoutControls(line.slice(from, to));
    if (text !== "") {
      spans.push({ at: from, text, style });
    }
  };
  for (const match of line.matchAll(sequence)) {
    take(match.index);
    from = match.index + match[0].length;
    if (match[2] === "m") {
      style = applySgr(style, match[1] ?? "");
    }
  }
  take(line.length);
  return { spans, end: style };
}

/** The style after a line, without building its spans: what appending a line needs. */
export function styleAfter(line: string, start: AnsiStyle): AnsiStyle {
  if (!line.includes(esc)) {
    return start;
  }
  let style = start;
  for (const match of line.matchAll(sequence)) {
    if (match[2] === "m") {
      style = applySgr(style, match[1] ?? "");
    }
  }
  return style;
}

export const stripAnsi = (text: string): string => (text.includes(esc) ? text.replace(sequence, "") : text);
