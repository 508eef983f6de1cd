import { describe, expect, it } from "vitest";
import { LineBuffer } from "../lib/lineBuffer";
import { fakeFetch } from "../test/fakeFetch";
import { FakeSource } from "../test/fakeSource";
import { LogStream, readWholeLog } from "./runLog";

class FakeLogSource extends FakeSource {
  log(from: number, text: string): void {
    this.say("log", { from, to: from + text.length, text });
  }
}

/** A stream whose connections and timers are in the hands of the test. */
function fixture() {
  const urls: string[] = [];
  const sources: FakeLogSource[] = [];
  const delays: number[] = [];
  let pending: (() => void) | null = null;
  const buffer = new LineBuffer();
  const stream = new LogStream({
    runId: "7",
    buffer,
    onChange: () => undefined,
    open: (url) => {
      const source = new FakeLogSource();
      urls.push(url);
      sources.push(source);
      return source as unknown as EventSource;
    },
    later: (task, millis) => {
      delays.push(millis);
      pending = task;
      return () => {
        pending = null;
      };
    },
  });
  const current = (): FakeLogSource => {
    const source = sources.at(-1);
    if (source === undefined) {
      throw new Error("nothing was opened");
    }
    return source;
  };
  const tick = (): void => {
    const task = pending;
    pending = null;
    task?.();
  };
  return { stream, buffer, urls, sources, delays, current, tick, isWaiting: () => pending !== null };
}

describe("a log stream", () => {
  it("knows how far the run said it was last", () => {
    const { stream, current } = fixture();
    stream.start();
    current().log(0, "one\n");
    expect(stream.progress).toBeNull();
    current().say("log", { from: 4, to: 8, text: "two\n", progress: 40 });
    expect(stream.progress).toBe(40);
    current().say("log", { from: 8, to: 12, text: "end\n", progress: null });
    expect(stream.progress).toBe(40);
  });

  it("knows the zone of its times once a piece names it", () => {
    const { stream, current } = fixture();
    stream.start();
    current().say("log", { from: 0, to: 4, text: "one\n", progress: null, zone: null });
    expect(stream.zone).toBeNull();
    current().say("log", { from: 4, to: 8, text: "two\n", progress: null, zone: "Asia/Kolkata" });
    expect(stream.zone).toBe("Asia/Kolkata");
  });

  it("opens again from the byte it reached after the connection broke", () => {
    const { stream, buffer, urls, sources, current, tick } = fixture();
    stream.start();
    current().say("open");
    current().log(0, "one\n");
    current().log(4, "two\n");
    current().say("error");
    expect(stream.state).toBe("reconnecting");
    expect(sources[0]?.closed).toBe(true);
    tick();
    current().say("open");
    current().log(8, "three\n");
    expect(stream.state).toBe("live");
    expect(buffer.text()).toBe("one\ntwo\nthree");
    expect(urls).toEqual(["/api/runs/7/log/stream?from=0", "/api/runs/7/log/stream?from=8"]);
  });

  it("waits longer after every failure, up to a bound, and starts over once something came", () => {
    const { stream, delays, current, tick } = fixture();
    stream.start();
    for (let attempt = 0; attempt < 8; attempt++) {
      current().say("error");
      tick();
    }
    expect(delays).toEqual([300, 600, 1200, 2400, 4800, 9600, 10_000, 10_000]);
    current().log(0, "one\n");
    current().say("error");
    expect(delays.at(-1)).toBe(300);
  });

  it("ignores what a closed connection still says", () => {
    const { stream, buffer, sources, current, tick } = fixture();
    stream.start();
    current().say("error");
    tick();
    sources[0]?.log(0, "ghost\n");
    expect(buffer.length).toBe(0);
  });

  it("asks again at a gap, and takes a gap that stays", () => {
    const { stream, buffer, urls, current, tick } = fixture();
    stream.start();
    current().log(0, "one\n");
    current().log(20, "late\n");
    expect(buffer.length).toBe(1);
    tick();
    expect(urls.at(-1)).toBe("/api/runs/7/log/stream?from=4");
    current().log(20, "late\n");
    expect(buffer.text()).toBe("one\nlate");
  });

  it("is over when the server says so", () => {
    const { stream, current, isWaiting } = fixture();
    stream.start();
    current().log(0, "one\n");
    current().say("end");
    expect(stream.state).toBe("ended");
    expect(current().closed).toBe(true);
    expect(isWaiting()).toBe(false);
  });

  it("says why a log cannot be read and keeps trying", () => {
    const { stream, current, tick, isWaiting } = fixture();
    stream.start();
    current().say("open");
    current().say("unavailable", { message: "executor offline" });
    current().say("error");
    expect(stream.state).toBe("unavailable");
    expect(stream.message).toBe("executor offline");
    expect(isWaiting()).toBe(true);
    tick();
    current().say("open");
    expect(stream.state).toBe("unavailable");
    current().log(0, "back\n");
    expect(stream.state).toBe("live");
  });

  it("leaves nothing behind when it is stopped", () => {
    const { stream, current, isWaiting } = fixture();
    stream.start();
    current().say("error");
    stream.stop();
    expect(isWaiting()).toBe(false);
  });
});

describe("a download", () => {
  it("reads piece by piece to the end of what is written", async () => {
    const page = { exists: true, size: 8, end: false };
    const calls = fakeFetch(
      { body: { ...page, from: 0, to: 4, text: "one\n" } },
      { body: { ...page, from: 4, to: 8, text: "two\n" } },
    );
    expect((await readWholeLog("7")).join("")).toBe("one\ntwo\n");
    expect(calls.map((call) => call.url)).toEqual([
      "/api/runs/7/log?from=0&limit=1000000",
      "/api/runs/7/log?from=4&limit=1000000",
    ]);
  });

  it("does not ask for ever when nothing comes", async () => {
    const calls = fakeFetch({ body: { exists: true, from: 0, to: 0, size: 100, text: "", end: false } });
    await readWholeLog("7");
    expect(calls).toHaveLength(1);
  });
});
