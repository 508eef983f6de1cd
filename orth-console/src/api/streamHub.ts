import type { Later } from "./later";

/** One stream that a page follows: its address, and the names of the events it wants. */
export type Wanted = { id: string; url: string; types: string[] };

/** Takes the events of a stream: `open`, `error` when it is lost, and those that were asked for. */
export type Listener = (id: string, type: string, data: string) => void;

/** What is used of an `EventSource`. */
export type Connection = { addEventListener: (type: string, listener: (event: Event) => void) => void; close: () => void };

export type HubMeans = { connect: (url: string) => Connection; later: Later };

type Followed = Wanted & {
  tell: Listener;
  /** The id of the last event that had one, as the server counts. */
  lastEventId: string | null;
  opened: boolean;
};

/** The server takes no more over one connection. */
export const mostStreams = 50;

/** The server says something at least every ten seconds; a connection that is silent for longer is dead. */
const silenceMillis = 20_000;

/**
 * Follows any number of streams over one connection. When a stream is added or removed, the connection is made again, each
 * stream after its last event. When the connection is lost, all streams are; those who want them ask again.
 */
export class StreamHub {
  private readonly followed = new Map<string, Followed>();
  private readonly means: HubMeans;
  private connection: Connection | null = null;
  private cancelReconnect: (() => void) | null = null;
  private cancelSilence: (() => void) | null = null;
  private paused = false;

  constructor(means: HubMeans) {
    this.means = means;
  }

  get size(): number {
    return this.followed.size;
  }

  follow(wanted: Wanted, tell: Listener): void {
    this.followed.set(wanted.id, { ...wanted, tell, lastEventId: null, opened: false });
    this.reconnectSoon();
  }

  leave(id: string): void {
    if (this.followed.delete(id)) {
      this.reconnectSoon();
    }
  }

  /** Lets the connection go without a word to the streams; {@link resume} continues them. */
  pause(): void {
    this.paused = true;
    this.disconnect();
  }

  resume(): void {
    this.paused = false;
    this.reconnectSoon();
  }

  /** A page that closes one stream and opens another costs one connection. */
  private reconnectSoon(): void {
    this.cancelReconnect ??= this.means.later(() => this.reconnect(), 0);
  }

  private reconnect(): void {
    this.disconnect();
    const streams = [...this.followed.values()].slice(0, mostStreams);
    if (streams.length === 0 || this.paused) {
      return;
    }
    const query = new URLSearchParams(streams.map((each): [string, string] => ["stream", addressOf(each)]));
    const connection = this.means.connect(`/api/streams?${query.toString()}`);
    this.connection = connection;
    const listen = (type: string, then: (event: MessageEvent<string>) => void): void =>
      connection.addEventListener(type, (event) => {
        if (this.connection === connection) {
          this.heard();
          then(event as MessageEvent<string>);
        }
      });
    for (const [number, each] of streams.entries()) {
      listen(`${number}.open`, () => this.accepted(each));
      listen(`${number}.over`, () => this.lost(each));
      for (const type of each.types) {
        listen(`${number}.${type}`, (event) => this.received(each, type, number, event));
      }
    }
    listen("heartbeat", () => undefined);
    listen("open", () => undefined);
    connection.addEventListener("error", () => {
      if (this.connection === connection) {
        this.broke();
      }
    });
    this.heard();
  }

  private heard(): void {
    this.cancelSilence?.();
    this.cancelSilence = this.means.later(() => this.broke(), silenceMillis);
  }

  private accepted(stream: Followed): void {
    if (!stream.opened && this.isFollowed(stream)) {
      stream.opened = true;
      stream.tell(stream.id, "open", "");
    }
  }

  private received(stream: Followed, type: string, number: number, event: MessageEvent<string>): void {
    if (!this.isFollowed(stream)) {
      return;
    }
    // An event without an id repeats that of the one before, which may be another stream's.
    const own = `${number}.`;
    if (event.lastEventId.startsWith(own)) {
      stream.lastEventId = event.lastEventId.slice(own.length);
    }
    stream.tell(stream.id, type, event.data);
  }

  private lost(stream: Followed): void {
    if (this.isFollowed(stream)) {
      this.followed.delete(stream.id);
      stream.tell(stream.id, "error", "");
    }
  }

  private broke(): void {
    this.disconnect();
    for (const stream of this.followed.values()) {
      this.lost(stream);
    }
  }

  private isFollowed(stream: Followed): boolean {
    return this.followed.get(stream.id) === stream;
  }

  private disconnect(): void {
    this.connection?.close();
    this.connection = null;
    this.cancelReconnect?.();
    this.cancelReconnect = null;
    this.cancelSilence?.();
    this.cancelSilence = null;
  }
}

function addressOf({ url, lastEventId }: Followed): string {
  if (lastEventId === null) {
    return url;
  }
  return `${url}${url.includes("?") ? "&" : "?"}lastEventId=${encodeURIComponent(lastEventId)}`;
}
