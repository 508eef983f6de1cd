import type { LineBuffer } from "./lineBuffer";

export const rowHeight = 20;

/** Room for the line numbers and the edges, in pixels. */
export const gutter = 84;

/** Lines longer than this are shown cut; copy and download have all of it. */
export const maxShownChars = 8_000;

// East Asian wide and full-width characters take two columns.
const wideChars = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}]/gu;

/** An upper bound of the columns a line takes. */
export function columnsOf(line: string): number {
  const shown = line.length > maxShownChars ? line.slice(0, maxShownChars) : line;
  const tabs = shown.includes("\t") ? (shown.split("\t").length - 1) * 7 : 0;
  return shown.length + tabs + (shown.match(wideChars)?.length ?? 0);
}

/** How many columns fit beside the line numbers; 0 stands for lines that are not wrapped. */
export const columnsIn = (width: number, charWidth: number): number =>
  charWidth > 0 ? Math.max(20, Math.floor((width - gutter) / charWidth)) : 0;

/**
 * Where each line of a log stands, counted in rows of equal height, so that a scroll position finds its line by binary search.
 * It grows with the log: a new line costs one step.
 */
export class LogLayout {
  /** starts[i] is the first row of line i; the last entry is the count of rows. */
  private readonly starts: number[] = [0];
  private widest = 0;
  private dropped = 0;
  private readonly buffer: LineBuffer;
  private readonly columns: number;

  /** With 0 columns every line is one row. */
  constructor(buffer: LineBuffer, columns: number) {
    this.buffer = buffer;
    this.columns = columns;
  }

  get lines(): number {
    return this.starts.length - 1;
  }

  get rows(): number {
    return this.starts[this.starts.length - 1] ?? 0;
  }

  /** The width of the widest line in columns; 0 when lines are wrapped. */
  get width(): number {
    return this.columns === 0 ? this.widest : 0;
  }

  /** Takes in what came since the last time. The last known line may have grown; lines at the head may be gone. */
  follow(): this {
    const { buffer } = this;
    if (this.dropped !== buffer.dropped) {
      this.dropped = buffer.dropped;
      this.starts.length = 1;
    } else if (this.lines > 0) {
      this.starts.pop();
    }
    for (let line = this.lines; line < buffer.length; line++) {
      const wide = columnsOf(buffer.line(line));
      this.widest = Math.max(this.widest, wide);
      this.starts.push(this.rows + (this.columns === 0 ? 1 : Math.max(1, Math.ceil(wide / this.columns))));
    }
    return this;
  }

  startOf(line: number): number {
    return this.starts[Math.min(line, this.lines)] ?? 0;
  }

  /** The line that holds a row. */
  lineAt(row: number): number {
    let low = 0;
    let high = this.lines;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.starts[middle] ?? 0) <= row) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return Math.min(low, Math.max(0, this.lines - 1));
  }
}
