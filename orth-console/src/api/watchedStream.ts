import { type LiveMeans, LiveSource } from "./liveSource";
import { type Problem, problemOf } from "./problem";

export type WatchState = "connecting" | "live" | "reconnecting" | "paused";

export type WatchOptions = LiveMeans & {
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
    return response.ok ? null : problemOf(response, await response.text(), new Date());
  } catch {
    return null;
  } finally {
    over.abort();
  }
}

/** A stream that is watched: it comes again when it breaks, can be paused, and says why where it is refused. */
export abstract class WatchedStream {
  state: WatchState = "connecting";
  /** Why the server refuses the stream. */
  problem: Problem | null = null;

  private readonly watch: WatchOptions;
  private readonly source: LiveSource;
  private answered = false;

  /** @param on what to do with each kind of event */
  protected constructor(watch: WatchOptions, on: Record<string, (data: string) => void>) {
    this.watch = watch;
    this.source = new LiveSource({
      ...watch,
      url: () => this.url(),
      on: { ...on, open: () => this.opened() },
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

  /** Asked at every connection. */
  protected abstract url(): string;

  protected changed(): void {
    this.watch.onChange();
  }

  protected move(state: WatchState): void {
    this.state = state;
    this.changed();
  }

  private opened(): void {
    this.answered = true;
    this.problem = null;
    this.source.isWell();
    this.move("live");
  }

  private broke(): void {
    if (!this.answered) {
      void this.askWhy();
    }
    this.answered = false;
    this.move("reconnecting");
  }

  private async askWhy(): Promise<void> {
    const problem = await (this.watch.ask ?? whyRefused)(this.url());
    if (this.state === "reconnecting") {
      this.problem = problem;
      this.changed();
    }
  }
}
