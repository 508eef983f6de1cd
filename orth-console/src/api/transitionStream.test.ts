import { describe, expect, it } from "vitest";
import { FakeSource } from "../test/fakeSource";
import { transitionWire } from "../test/factories";
import { fakeFetch } from "../test/fakeFetch";
import { Problem } from "./problem";
import { mostWatched, TransitionStream } from "./transitionStream";
import { whyRefused } from "./watchedStream";

/** A stream whose connections and timers are in the hands of the test. */
function fixture(ask: () => Promise<Problem | null> = () => Promise.resolve(null)) {
  const urls: string[] = [];
  const sources: FakeSource[] = [];
  let pending: (() => void) | null = null;
  const stream = new TransitionStream({
    filter: { kind: "RUN", jobId: "7" },
    onChange: () => undefined,
    ask,
    open: (url) => {
      urls.push(url);
      const source = new FakeSource();
      sources.push(source);
      return source as unknown as EventSource;
    },
    later: (task) => {
      pending = task;
      return () => {
        pending = null;
      };
    },
  });
  const current = (): FakeSource => sources.at(-1) as FakeSource;
  const tick = (): void => pending?.();
  const tell = (...ids: string[]): void => {
    for (const id of ids) {
      current().say("transition", { ...transitionWire(), id });
    }
  };
  return { stream, urls, sources, current, tick, tell, ids: () => stream.rows.map((row) => row.id) };
}

describe("a stream of transitions", () => {
  it("begins with what happened last and puts the newest first", () => {
    const { stream, urls, current, tell, ids } = fixture();
    stream.start();
    expect(stream.state).toBe("connecting");
    current().say("open");
    tell("5.0", "5.1", "6.0");
    expect(stream.state).toBe("live");
    expect(ids()).toEqual(["6.0", "5.1", "5.0"]);
    expect(urls).toEqual(["/api/transitions/stream?kind=RUN&jobId=7&backlog=1000"]);
  });

  it("goes on after the last one it got when the connection broke", () => {
    const { stream, urls, current, tick, tell, ids } = fixture();
    stream.start();
    current().say("open");
    tell("5.0");
    current().say("error");
    expect(stream.state).toBe("reconnecting");
    tick();
    current().say("open");
    tell("5.1");
    expect(urls.at(-1)).toBe("/api/transitions/stream?kind=RUN&jobId=7&after=5.0");
    expect(ids()).toEqual(["5.1", "5.0"]);
  });

  it("goes on from where the server said it was, though nothing passed the filter", () => {
    const { stream, urls, current, tick } = fixture();
    stream.start();
    current().say("at", { id: "90" });
    current().say("error");
    tick();
    expect(urls.at(-1)).toContain("after=90");
  });

  it("holds no more than a page can", () => {
    const { stream, tell, ids } = fixture();
    stream.start();
    tell(...Array.from({ length: mostWatched + 20 }, (_, index) => `${index}.0`));
    expect(stream.rows.length).toBe(mostWatched);
    expect(ids()[0]).toBe(`${mostWatched + 19}.0`);
  });

  it("is paused by closing it, and goes on from there", () => {
    const { stream, urls, current, tell, ids } = fixture();
    stream.start();
    tell("5.0");
    stream.pause();
    expect(current().closed).toBe(true);
    tell("5.1");
    expect(ids()).toEqual(["5.0"]);
    expect(stream.state).toBe("paused");
    stream.resume();
    expect(urls.at(-1)).toContain("after=5.0");
    tell("5.1");
    expect(ids()).toEqual(["5.1", "5.0"]);
  });

  it("remembers that something is missing", () => {
    const { stream, urls, current, tick } = fixture();
    stream.start();
    expect(stream.gapAt).toBeNull();
    current().say("gap", { id: "70" });
    expect(stream.gapAt).not.toBeNull();
    current().say("error");
    tick();
    expect(urls.at(-1)).toContain("after=70");
  });

  it("says why it is refused until it is not", async () => {
    const full = new Problem(429, { detail: "too many" });
    const { stream, current, tick } = fixture(() => Promise.resolve(full));
    stream.start();
    current().say("error");
    await expect.poll(() => stream.problem).toBe(full);
    tick();
    current().say("open");
    expect(stream.problem).toBeNull();
  });

  it("does not ask why after a connection that had worked", () => {
    let asked = 0;
    const { stream, current } = fixture(() => {
      asked++;
      return Promise.resolve(null);
    });
    stream.start();
    current().say("open");
    current().say("error");
    expect(asked).toBe(0);
  });
});

describe("why a stream is refused", () => {
  it("is what the server answers", async () => {
    fakeFetch({ status: 400, body: { code: "INVALID_INPUT", detail: "kind must be one of" } });
    expect((await whyRefused("/x"))?.message).toBe("kind must be one of");
  });

  it("is nothing where it answers well or not at all", async () => {
    fakeFetch({ status: 200 }, new Error("away"));
    expect(await whyRefused("/x")).toBeNull();
    expect(await whyRefused("/x")).toBeNull();
  });
});
