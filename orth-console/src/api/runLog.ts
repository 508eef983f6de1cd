import type { LineBuffer, LogChunk } from "../lib/lineBuffer";
import { get, path, withQuery } from "./http";
import { type LiveMeans, LiveSource } from "./liveSource";

export type LogState = "connecting" | "live" | "reconnecting" | "unavailable" | "ended";

/** How far the run says it is, in percent: with every piece from a run that says so. The zone is that of the times in it. */
type LogPiece = LogChunk & { progress?: number | null; zone?: string | null };

export type LogStreamOptions = LiveMeans & {
  runId: string;
  buffer: LineBuffer;
  /** Called after every change of the buffer or the state. */
  onChange: () => void;
};

/** Follows the log of a run into a buffer, after a break from the byte offset that was reached. */
export class LogStream {
  state: LogState = "connecting";
  /** What the server said about a log it cannot read. */
  message = "";
  /** In percent; null for a run that does not say. */
  progress: number | null = null;
  /** Of the times in it; null where the executor does not say. */
  zone: string | null = null;
  /** A stream does not tell a log that is empty from one that is not there. */
  readonly exists = null;
  /** It begins with the first byte. */
  readonly skipped = 0;

  private readonly options: LogStreamOptions;
  private readonly source: LiveSource;
  private gapAt = -1;

  constructor(options: LogStreamOptions) {
    const { runId, buffer } = options;
    this.options = options;
    this.source = new LiveSource({
      ...options,
      url: () => withQuery(path`/api/runs/${runId}/log/stream`, { from: buffer.offset }),
      on: {
        open: () => this.opened(),
        log: (data) => this.received(JSON.parse(data) as LogPiece),
        unavailable: (data) => this.refused((JSON.parse(data) as { message: string }).message),
        end: () => this.ended(),
      },
      onBroken: () => this.broke(),
    });
  }

  start(): void {
    this.source.start();
  }

  stop(): void {
    this.source.stop();
  }

  private opened(): void {
    if (this.state !== "unavailable") {
      this.move("live");
    }
  }

  private received({ progress, zone, ...chunk }: LogPiece): void {
    const { buffer } = this.options;
    this.source.isWell();
    this.progress = progress ?? this.progress;
    this.zone = zone ?? this.zone;
    // The second gap at one place is real: the bytes are gone from the file, so what follows is taken.
    const result = buffer.append(chunk, this.gapAt === buffer.offset);
    if (result === "gap") {
      this.gapAt = buffer.offset;
      this.source.again(0);
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
  }

  private move(state: LogState): void {
    this.state = state;
    this.options.onChange();
  }
}

/** A piece of a log; `end` where it has ended and nothing follows. */
export type LogPage = LogChunk & { exists: boolean; size: number; end: boolean; zone?: string | null };

/** The most that the server gives at once. */
const pieceBytes = 1_000_000;

/** A log as far as it is written, piece by piece. */
export async function allPieces(read: (from: number, limit: number) => Promise<LogPage>): Promise<string[]> {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    // Each piece starts where the one before it ended.
    // oxlint-disable-next-line no-await-in-loop
    const page = await read(from, pieceBytes);
    parts.push(page.text);
    if (!page.exists || page.to <= from || page.to >= page.size) {
      return parts;
    }
    from = page.to;
  }
}

export const readWholeLog = (runId: string): Promise<string[]> =>
  allPieces((from, limit) => get<LogPage>(withQuery(path`/api/runs/${runId}/log`, { from, limit })));
