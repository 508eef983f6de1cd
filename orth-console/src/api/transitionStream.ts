import { withQuery } from "./http";
import { type LiveMeans, LiveSource } from "./liveSource";
import { type Problem, readProblem } from "./problem";
import { toTransition, type Transition, type TransitionWire } from "./transitions";

export type WatchState = "connecting" | "live" | "reconnecting" | "paused";

export type TransitionFilter = { kind?: string; jobId?: string; groupId?: string; rootId?: string };

/** A change of state with its place in the order of all. */
export type Watched = Transition & { id: string };

export const mostWatched = 500;

/** How many of the last changes are looked through for what the filter lets pass. */
const backlog = 1000;

export type TransitionStreamOptions = LiveMeans & {
  filter: TransitionFilter;
  /** Called after every change of what is shown. */
  onChange: () => void;
  /** Finds out why a connection was refused, which the browser does not tell. */
  ask?: (url: string) => Promise<Problem | null>;
};

/** Null where the stream can be had after all. */
export async function whyRefused(url: string): Promise<Problem | null> {
  const over = new AbortController();
  try {
    const response = await fetch(url, { headers: { Accept: "text/event-stream" }, signal: over.signal, credentials: "same-origin" });
    return response.ok ? null : await readProblem(response, new Date());
  } catch {
    return null;
  } finally {
    over.abort();
  }
}

/** Changes of state as they happen, newest first, as many as a page can hold. */
export class TransitionStream {
  state: WatchState = "connecting";
  rows: readonly Watched[] = [];
  /** When it was last found that changes are missing. */
  gapAt: Date | null = null;
  /** Why the server refuses the stream. */
  problem: Problem | null = null;

  private readonly options: TransitionStreamOptions;
  private readonly source: LiveSource;
  private lastId: string | null = null;
  private answered = false;

  constructor(options: TransitionStreamOptions) {
    this.options = options;
    this.source = new LiveSource({
      ...options,
      url: () => this.url(),
      on: {
        open: () => this.opened(),
        transition: (data) => this.received(JSON.parse(data) as TransitionWire & { id: string }),
        at: (data) => this.reached(data),
        gap: (data) => this.missed(data),
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

  pause(): void {
    this.stop();
    this.move("paused");
  }

  /** Goes on where it was paused. */
  resume(): void {
    this.move("connecting");
    this.start();
  }

  private url(): string {
    const place = this.lastId === null ? { backlog } : { after: this.lastId };
    return withQuery("/api/transitions/stream", { ...this.options.filter, ...place });
  }

  private opened(): void {
    this.answered = true;
    this.problem = null;
    this.source.isWell();
    this.move("live");
  }

  private received(wire: TransitionWire & { id: string }): void {
    this.lastId = wire.id;
    this.rows = [{ ...toTransition(wire), id: wire.id }, ...this.rows.slice(0, mostWatched - 1)];
    this.move("live");
  }

  private reached(data: string): void {
    this.lastId = (JSON.parse(data) as { id: string }).id;
  }

  private missed(data: string): void {
    this.reached(data);
    this.gapAt = new Date();
    this.options.onChange();
  }

  private broke(): void {
    if (!this.answered) {
      void this.askWhy();
    }
    this.answered = false;
    this.move("reconnecting");
  }

  private async askWhy(): Promise<void> {
    const problem = await (this.options.ask ?? whyRefused)(this.url());
    if (this.state === "reconnecting") {
      this.problem = problem;
      this.options.onChange();
    }
  }

  private move(state: WatchState): void {
    this.state = state;
    this.options.onChange();
  }
}
