import type { StreamHub, Wanted } from "./streamHub";

/** What a page says to the worker that has the connection. */
export type FromPage =
  | { say: "follow"; wanted: Wanted }
  | { say: "leave"; id: string }
  /** All that the page follows: it is still there. */
  | { say: "alive"; ids: string[] }
  | { say: "bye" };

/** An event of one of the page's streams. */
export type ToPage = { id: string; type: string; data: string };

export type Port = { postMessage: (message: ToPage) => void };

type Page = { number: number; ids: Set<string>; heardAt: number };

/** Hidden pages speak once a minute. A page that has been silent for longer than this was closed without a word, or is frozen. */
export const silentPageMillis = 150_000;

/** The pages of one browser, and which streams of the hub are whose. */
export class StreamPorts {
  private readonly hub: StreamHub;
  private readonly now: () => number;
  private readonly pages = new Map<Port, Page>();
  private numbers = 0;

  constructor(hub: StreamHub, now: () => number) {
    this.hub = hub;
    this.now = now;
  }

  heard(port: Port, message: FromPage): void {
    const page = this.pageOf(port);
    page.heardAt = this.now();
    if (message.say === "follow") {
      this.follow(port, page, message.wanted);
    } else if (message.say === "leave") {
      this.leave(page, message.id);
    } else if (message.say === "bye") {
      this.drop(port, page);
    } else {
      // What it follows, but was dropped while it was frozen, it has to ask for again.
      for (const id of message.ids.filter((each) => !page.ids.has(each))) {
        port.postMessage({ id, type: "error", data: "" });
      }
    }
  }

  /** Drops the pages that have been silent for too long. */
  dropSilent(): void {
    for (const [port, page] of this.pages) {
      if (this.now() - page.heardAt > silentPageMillis) {
        this.drop(port, page);
      }
    }
  }

  private follow(port: Port, page: Page, wanted: Wanted): void {
    page.ids.add(wanted.id);
    this.hub.follow({ ...wanted, id: idOf(page, wanted.id) }, (_, type, data) => {
      if (type === "error") {
        page.ids.delete(wanted.id);
      }
      port.postMessage({ id: wanted.id, type, data });
    });
  }

  private leave(page: Page, id: string): void {
    if (page.ids.delete(id)) {
      this.hub.leave(idOf(page, id));
    }
  }

  private drop(port: Port, page: Page): void {
    for (const id of page.ids) {
      this.leave(page, id);
    }
    this.pages.delete(port);
  }

  private pageOf(port: Port): Page {
    const known = this.pages.get(port);
    if (known !== undefined) {
      return known;
    }
    const page = { number: this.numbers++, ids: new Set<string>(), heardAt: this.now() };
    this.pages.set(port, page);
    return page;
  }
}

const idOf = (page: Page, id: string): string => `${page.number}:${id}`;
