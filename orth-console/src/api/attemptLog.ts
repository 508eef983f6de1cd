import type { LineBuffer } from "../lib/lineBuffer";
import { get, path, withQuery } from "./http";
import { type Later, later } from "./later";
import { Problem } from "./problem";
import { allPieces, type LogPage, type LogState } from "./runLog";

/** Where the log of one attempt at a message is read. */
export const messageLogPath = (queue: string, messageId: string, logId: string): string =>
  withQuery(path`/api/queues/${queue}/messages/${messageId}/log`, { logId });

/** Where the log of the latest attempt at a pipeline's task is read. */
export const taskLogPath = (taskId: string): string => path`/api/pipeline-tasks/${taskId}/log`;

type ReadPiece = (from: number, limit: number, signal?: AbortSignal) => Promise<LogPage>;

export const readPieceOf =
  (log: string): ReadPiece =>
  (from, limit, signal) =>
    get<LogPage>(`${log}${log.includes("?") ? "&" : "?"}from=${from}&limit=${limit}`, signal);

export const readWholeAttempt = (log: string): Promise<string[]> => allPieces(readPieceOf(log));

/** As much of a long log as is shown at first: its end, where errors are. */
export const tailBytes = 262_144;
const pieceBytes = 1_000_000;
const askAgainMillis = 1500;
const afterFailureMillis = 5000;

export type AttemptLogOptions = {
  read: ReadPiece;
  buffer: LineBuffer;
  /** From its first byte, however long it is. */
  whole: boolean;
  /** Called after every change of the buffer or the state. */
  onChange: () => void;
  later?: Later;
};

/** Reads the log of an attempt into a buffer, from near its end, and goes on until the attempt has ended. */
export class AttemptLog {
  state: LogState = "connecting";
  /** What the server said about a log it cannot read. */
  message = "";
  /** Whether there is a log at all; null as long as that is unknown. */
  exists: boolean | null = null;
  /** Bytes before the first one that was read. */
  skipped = 0;
  /** Of the times in it; null where the executor does not say. */
  zone: string | null = null;
  /** Attempts say nothing about how far they are. */
  readonly progress = null;

  private readonly options: Required<AttemptLogOptions>;
  private over = new AbortController();
  private cancelNext: (() => void) | null = null;

  constructor(options: AttemptLogOptions) {
    this.options = { later, ...options };
  }

  start(): void {
    this.over = new AbortController();
    void this.pass();
  }

  stop(): void {
    this.over.abort();
    this.cancelNext?.();
  }

  private async pass(): Promise<void> {
    const { signal } = this.over;
    try {
      const piece = await this.next(signal);
      if (!signal.aborted) {
        this.received(piece);
      }
    } catch (error) {
      if (!signal.aborted) {
        this.failed(error);
      }
    }
  }

  private async next(signal: AbortSignal): Promise<LogPage> {
    const { read, buffer, whole } = this.options;
    if (this.exists === true || whole) {
      return read(buffer.offset, pieceBytes, signal);
    }
    const first = await read(0, tailBytes, signal);
    if (first.size <= first.to) {
      return first;
    }
    this.skipped = first.size - tailBytes;
    return fromLineStart(await read(this.skipped, pieceBytes, signal));
  }

  private received(piece: LogPage): void {
    const { buffer } = this.options;
    this.exists = piece.exists;
    this.zone = piece.zone ?? null;
    buffer.append(piece, true);
    this.move(piece.end ? "ended" : "live");
    if (!piece.end) {
      this.again(piece.to < piece.size ? 0 : askAgainMillis);
    }
  }

  private failed(error: unknown): void {
    const silent = error instanceof Problem && error.unreachable;
    this.message = silent || !(error instanceof Error) ? "" : error.message;
    this.move(silent ? "reconnecting" : "unavailable");
    this.again(afterFailureMillis);
  }

  private again(millis: number): void {
    this.cancelNext = this.options.later(() => void this.pass(), millis);
  }

  private move(state: LogState): void {
    this.state = state;
    this.options.onChange();
  }
}

/** Without the rest of the line, or of the character, that it begins in. */
function fromLineStart(piece: LogPage): LogPage {
  const end = piece.text.indexOf("\n");
  return end < 0 ? piece : { ...piece, text: piece.text.slice(end + 1) };
}
