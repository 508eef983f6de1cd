import { later } from "./later";
import { type Connection, type Listener, StreamHub, type Wanted } from "./streamHub";
import type { FromPage, ToPage } from "./streamPorts";

/** What the hub of this page and the one in the shared worker have in common. */
type Hub = { follow: (wanted: Wanted, tell: Listener) => void; leave: (id: string) => void };

/** A page says that it is there; hidden ones are slowed to once a minute by the browser. */
const aliveMillis = 20_000;

/** The hub in the worker that all pages of the browser share. */
class SharedHub implements Hub {
  private readonly port: MessagePort;
  private readonly listeners = new Map<string, Listener>();

  /** @param onFailed called where the worker cannot be had */
  constructor(onFailed: () => void) {
    const worker = new SharedWorker(new URL("./streamWorker.ts", import.meta.url), { type: "module", name: "orth-streams" });
    this.port = worker.port;
    this.port.addEventListener("message", ({ data }: MessageEvent<ToPage>) => this.received(data));
    this.port.start();
    worker.addEventListener("error", () => {
      this.loseAll();
      onFailed();
    });
    setInterval(() => this.say({ say: "alive", ids: [...this.listeners.keys()] }), aliveMillis);
    window.addEventListener("pagehide", () => this.say({ say: "bye" }));
    window.addEventListener("pageshow", ({ persisted }) => {
      if (persisted) {
        this.loseAll();
      }
    });
  }

  follow(wanted: Wanted, tell: Listener): void {
    this.listeners.set(wanted.id, tell);
    this.say({ say: "follow", wanted });
  }

  leave(id: string): void {
    if (this.listeners.delete(id)) {
      this.say({ say: "leave", id });
    }
  }

  private say(message: FromPage): void {
    // A port leads to one worker of this page: there is no origin to name.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.port.postMessage(message);
  }

  private received({ id, type, data }: ToPage): void {
    const tell = this.listeners.get(id);
    if (type === "error") {
      this.listeners.delete(id);
    }
    tell?.(id, type, data);
  }

  private loseAll(): void {
    for (const id of this.listeners.keys()) {
      this.received({ id, type: "error", data: "" });
    }
  }
}

/** The hub of this page alone, where the browser has no shared workers. A hidden page leaves its connection to others. */
function ownHub(): Hub {
  const hub = new StreamHub({ connect: (url) => new EventSource(url), later });
  const look = (): void => (document.hidden ? hub.pause() : hub.resume());
  document.addEventListener("visibilitychange", look);
  look();
  return hub;
}

let hub: Hub | null = null;
let sharing = typeof SharedWorker !== "undefined";

function theHub(): Hub {
  hub ??= sharing
    ? new SharedHub(() => {
        sharing = false;
        hub = null;
      })
    : ownHub();
  return hub;
}

let numbers = 0;

/** A stream over the one connection of this browser, to be used like an `EventSource`. It does not come again after an error. */
export function openShared(url: string): Connection {
  const id = String(numbers++);
  const target = new EventTarget();
  const types = new Set<string>();
  let closed = false;
  // Those who open it say only then which events they want.
  queueMicrotask(() => {
    if (!closed) {
      const wanted = [...types].filter((type) => type !== "open" && type !== "error");
      theHub().follow({ id, url, types: wanted }, (_, type, data) => target.dispatchEvent(new MessageEvent(type, { data })));
    }
  });
  return {
    addEventListener: (type, listener) => {
      types.add(type);
      target.addEventListener(type, listener);
    },
    close: () => {
      if (!closed) {
        closed = true;
        hub?.leave(id);
      }
    },
  };
}
