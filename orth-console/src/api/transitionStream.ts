import { withQuery } from "./http";
import { toTransition, type Transition, type TransitionWire } from "./transitions";
import { WatchedStream, type WatchOptions } from "./watchedStream";

export type TransitionFilter = { kind?: string; jobId?: string; groupId?: string; rootId?: string };

/** A change of state with its place in the order of all. */
export type Watched = Transition & { id: string };

export const mostWatched = 500;

/** How many of the last changes are looked through for what the filter lets pass. */
const backlog = 1000;

export type TransitionStreamOptions = WatchOptions & { filter: TransitionFilter };

/** Changes of state as they happen, newest first, as many as a page can hold. */
export class TransitionStream extends WatchedStream {
  rows: readonly Watched[] = [];
  /** When it was last found that changes are missing. */
  gapAt: Date | null = null;

  private readonly filter: TransitionFilter;
  private lastId: string | null = null;

  constructor(options: TransitionStreamOptions) {
    super(options, {
      transition: (data) => this.received(JSON.parse(data) as TransitionWire & { id: string }),
      at: (data) => this.reached(data),
      gap: (data) => this.missed(data),
    });
    this.filter = options.filter;
  }

  protected url(): string {
    const place = this.lastId === null ? { backlog } : { after: this.lastId };
    return withQuery("/api/transitions/stream", { ...this.filter, ...place });
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
    this.changed();
  }
}
