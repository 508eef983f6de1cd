import { type Later, later } from "./later";
import { openShared } from "./sharedStreams";
import type { Connection } from "./streamHub";

/** How a connection is made and how something is done later; tests bring their own. */
export type LiveMeans = {
  open?: (url: string) => Connection;
  later?: Later;
};

export type LiveSourceOptions = LiveMeans & {
  /** Asked at every connection, so that it can name the place that was reached. */
  url: () => string;
  /** By the name of the event; `open` has no data. */
  on: Record<string, (data: string) => void>;
  /** The connection broke; it is made again. */
  onBroken: () => void;
};

const firstDelay = 300;
const longestDelay = 10_000;

/**
 * Server-sent events over connections that break. They are made again by our own hand: the browser would ask the first
 * address again, and would give up after a refusal.
 */
export class LiveSource {
  private readonly options: Required<LiveSourceOptions>;
  private source: Connection | null = null;
  private cancelRetry: (() => void) | null = null;
  private delay = firstDelay;

  constructor(options: LiveSourceOptions) {
    this.options = { open: openShared, later, ...options };
  }

  start(): void {
    this.stop();
    const { url, on, open } = this.options;
    const source = open(url());
    this.source = source;
    const listen = (type: string, then: (data: string) => void): void =>
      source.addEventListener(type, (event) => {
        if (this.source === source) {
          then((event as MessageEvent<string>).data);
        }
      });
    for (const [type, then] of Object.entries(on)) {
      listen(type, then);
    }
    listen("error", () => this.broke());
  }

  stop(): void {
    this.source?.close();
    this.source = null;
    this.cancelRetry?.();
    this.cancelRetry = null;
  }

  /** Something came: the next break is the first again. */
  isWell(): void {
    this.delay = firstDelay;
  }

  again(millis: number): void {
    this.stop();
    this.cancelRetry = this.options.later(() => this.start(), millis);
  }

  private broke(): void {
    this.options.onBroken();
    this.again(this.delay);
    this.delay = Math.min(longestDelay, this.delay * 2);
  }
}
