import { type LogLine, type LogLineWire, toLogLine } from "./systemLog";
import { WatchedStream, type WatchOptions } from "./watchedStream";

export const mostLines = 100;

/** Newest first; of those at the same time it is always the same order. */
const newestFirst = (one: LogLine, other: LogLine): number =>
  other.at.getTime() - one.at.getTime() || (one.id < other.id ? 1 : -1);

/**
 * The newest lines of all admins as they come. Every connection begins with the newest hundred, and lines of other admins may
 * come late; so they are put where they belong, each once.
 */
export class SystemLogStream extends WatchedStream {
  rows: readonly LogLine[] = [];
  /** How many lines came and went too fast to be shown. */
  missed = 0;

  constructor(options: WatchOptions) {
    super(options, {
      line: (data) => this.received(toLogLine(JSON.parse(data) as LogLineWire)),
      missed: (data) => this.passedOver((JSON.parse(data) as { lines: number }).lines),
    });
  }

  protected url(): string {
    return "/api/logs/stream";
  }

  private received(line: LogLine): void {
    if (!this.rows.some((row) => row.id === line.id)) {
      this.rows = [line, ...this.rows].toSorted(newestFirst).slice(0, mostLines);
    }
    this.move("live");
  }

  private passedOver(lines: number): void {
    this.missed += lines;
    this.changed();
  }
}
