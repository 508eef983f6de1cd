import type { LineBuffer, LogChunk } from "../lib/lineBuffer";
import { get, path, withQuery } from "./http";

export type LogState = "connecting" | "live" | "reconnecting" | "unavailable" | "ended";

/** How far the run says it is, in percent: with every piece from a run that says so. */
type LogPiece = LogChunk & { progress?: number | null };

type Source = Pick<EventSource, "addEventListener" | "close">;

export type LogStreamOptions = {
  runId: string;
  buffer: LineBuffer;
  /** Called after every change of the buffer or the state. */
  onChange: () => void;
  open?: (url: string) => Source;
  /** Runs something later and gives back how to cancel it. */
  later?: (task: () => void, millis: number) => () => void;
};

const firstDelay = 300;
const longestDelay = 10_000;

const inBrowser = (task: () => void, millis: number): (() => void) => {
  const timer = setTimeout(task, millis);
  return () => clearTimeout(timer);
};

/**
 * Follows the log of a run into a buffer. A broken connection is opened again from the byte offset that was reached, by our
 * own hand: the browser's reconnect would ask the first address again.
 */
export class LogStream {
  state: LogState = "connecting";
  /** What the server said about a log it cannot read. */
  message = "";
  /** In percent; null for a run that does not say. */
  progress: number | null = null;

  private readonly options: Required<LogStreamOptions>;
  private source: Source | null = null;
  private cancelRetry: (() => void) | null = null;
  private delay = firstDelay;
  private gapAt = -1;

  constructor(options: LogStreamOptions) {
    this.options = { open: (url) => new EventSource(url), later: inBrowser, ...options };
  }

  start(): void {
    const { runId, buffer, open } = this.options;
    const source = open(withQuery(path`/api/runs/${runId}/log/stream`, { from: buffer.offset }));
    this.source = source;
    const listen = (type: string, then: (data: string) => void): void =>
      source.addEventListener(type, (event) => {
        if (this.source === source) {
          then((event as MessageEvent<string>).data);
        }
      });
    listen("open", () => this.opened());
    listen("log", (data) => this.received(JSON.parse(data) as LogPiece));
    listen("unavailable", (data) => this.refused((JSON.parse(data) as { message: string }).message));
    listen("end", () => this.ended());
    listen("error", () => this.broke());
  }

  stop(): void {
    this.source?.close();
    this.source = null;
    this.cancelRetry?.();
    this.cancelRetry = null;
  }

  private opened(): void {
    if (this.state !== "unavailable") {
      this.move("live");
    }
  }

  private received({ progress, ...chunk }: LogPiece): void {
    const { buffer } = this.options;
    this.delay = firstDelay;
    this.progress = progress ?? this.progress;
    // The second gap at one place is real: the bytes are gone from the file, so what follows is taken.
    const result = buffer.append(chunk, this.gapAt === buffer.offset);
    if (result === "gap") {
      this.gapAt = buffer.offset;
      this.again(0);
      return;
    }
    this.move("live");
  }

  private refused(message: string): void {
    this.message = message;
    this.move("unavailable");
  }

  private ended(): void {
    this.stop();
    this.move("ended");
  }

  private broke(): void {
    if (this.state !== "unavailable") {
      this.move("reconnecting");
    }
    this.again(this.delay);
    this.delay = Math.min(longestDelay, this.delay * 2);
  }

  private again(millis: number): void {
    this.stop();
    this.cancelRetry = this.options.later(() => this.start(), millis);
  }

  private move(state: LogState): void {
    this.state = state;
    this.options.onChange();
  }
}

type LogPage = LogChunk & { exists: boolean; size: number; end: boolean };

/** The most that the server gives at once. */
const pieceBytes = 1_000_000;

/** The whole log as far as it is written, piece by piece. */
export async function readWholeLog(runId: string): Promise<string[]> {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    // Each piece starts where the one before it ended.
    // oxlint-disable-next-line no-await-in-loop
    const page: LogPage = await get<LogPage>(withQuery(path`/api/runs/${runId}/log`, { from, limit: pieceBytes }));
    parts.push(page.text);
    if (!page.exists || page.to <= from || page.to >= page.size) {
      return parts;
    }
    from = page.to;
  }
}
