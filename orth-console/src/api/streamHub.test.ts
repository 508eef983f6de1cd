import { describe, expect, it } from "vitest";
import { FakeSource } from "../test/fakeSource";
import { StreamHub } from "./streamHub";
import { type Port, silentPageMillis, StreamPorts, type ToPage } from "./streamPorts";

type Timer = { task: () => void; millis: number };

/** A hub whose connections and timers are in the hands of the test. */
function fixture() {
  const urls: string[] = [];
  const sources: FakeSource[] = [];
  const timers = new Set<Timer>();
  const hub = new StreamHub({
    connect: (url) => {
      const source = new FakeSource();
      urls.push(url);
      sources.push(source);
      return source as unknown as EventSource;
    },
    later: (task, millis) => {
      const timer = { task, millis };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const run = (fits: (millis: number) => boolean): void => {
    for (const timer of [...timers].filter((each) => fits(each.millis))) {
      timers.delete(timer);
      timer.task();
    }
  };
  return {
    hub,
    sources,
    connects: () => run((millis) => millis === 0),
    silence: () => run((millis) => millis > 0),
    open: () => sources.filter((each) => !each.closed),
    /** What the last connection asks for. */
    asked: () => new URL(urls.at(-1) ?? "", "http://x").searchParams.getAll("stream"),
  };
}

const log = (id: string, run: string) => ({ id, url: `/api/runs/${run}/log/stream?from=0`, types: ["log", "end"] });
const lines = (id: string) => ({ id, url: "/api/logs/stream", types: ["line"] });

function fakePort(): Port & { got: ToPage[] } {
  const got: ToPage[] = [];
  return { got, postMessage: (message) => void got.push(message) };
}

/** Two pages at a hub, and their time. */
function pages() {
  const hub = fixture();
  let now = 0;
  const ports = new StreamPorts(hub.hub, () => now);
  return { ...hub, ports, one: fakePort(), other: fakePort(), pass: (millis: number) => (now += millis) };
}

describe("the streams of a browser @must-first", () => {
  it("share one connection, and each gets its own events", () => {
    const { hub, open, asked, connects } = fixture();
    const said: string[] = [];
    const tell = (id: string, type: string, data: string): void => void said.push(`${id} ${type} ${data}`);
    hub.follow(log("a", "1"), tell);
    hub.follow(log("b", "2"), tell);
    hub.follow(lines("c"), tell);
    connects();
    expect(open()).toHaveLength(1);
    expect(asked()).toEqual(["/api/runs/1/log/stream?from=0", "/api/runs/2/log/stream?from=0", "/api/logs/stream"]);
    open()[0]?.say("1.open");
    open()[0]?.say("1.log", "x");
    open()[0]?.say("2.line", "y");
    expect(said).toEqual(["b open ", 'b log "x"', 'c line "y"']);
  });

  it("continue after their own last event when another one comes", () => {
    const { hub, sources, open, asked, connects } = fixture();
    const said: string[] = [];
    const tell = (id: string, type: string): void => void said.push(`${id} ${type}`);
    hub.follow(log("a", "1"), tell);
    hub.follow(lines("b"), tell);
    connects();
    sources[0]?.say("0.open");
    sources[0]?.say("0.log", "x", "0.17");
    sources[0]?.say("1.line", "y", "0.17");
    hub.follow(log("c", "2"), tell);
    connects();
    expect(open()).toHaveLength(1);
    expect(asked()).toEqual(["/api/runs/1/log/stream?from=0&lastEventId=17", "/api/logs/stream", "/api/runs/2/log/stream?from=0"]);
    sources[1]?.say("0.open");
    expect(said).toEqual(["a open", "a log", "b line"]);
    sources[0]?.say("0.log", "late");
    expect(said).toHaveLength(3);
  });

  it("are closed with the last one", () => {
    const { hub, sources, open, connects } = fixture();
    hub.follow(log("a", "1"), () => undefined);
    connects();
    hub.leave("a");
    connects();
    expect(sources).toHaveLength(1);
    expect(open()).toHaveLength(0);
  });

  it("are lost one by one where the server ends one, and all where the connection breaks or falls silent", () => {
    const { hub, sources, connects, silence, open } = fixture();
    const said: string[] = [];
    const tell = (id: string, type: string): void => void said.push(`${id} ${type}`);
    hub.follow(log("a", "1"), tell);
    hub.follow(lines("b"), tell);
    connects();
    sources[0]?.say("0.over");
    expect(said).toEqual(["a error"]);
    sources[0]?.say("error");
    expect(said).toEqual(["a error", "b error"]);
    expect(hub.size).toBe(0);

    hub.follow(lines("c"), tell);
    connects();
    sources[1]?.say("heartbeat");
    silence();
    expect(said.at(-1)).toBe("c error");
    expect(open()).toHaveLength(0);
  });

  it("rest while their page is hidden, and continue", () => {
    const { hub, sources, connects, open, asked } = fixture();
    hub.follow(log("a", "1"), () => undefined);
    connects();
    sources[0]?.say("0.log", "x", "0.5");
    hub.pause();
    expect(open()).toHaveLength(0);
    hub.resume();
    connects();
    expect(asked()).toEqual(["/api/runs/1/log/stream?from=0&lastEventId=5"]);
  });
});

describe("the pages of a browser @must-first", () => {
  it("get the events of their own streams, though they number them alike", () => {
    const { ports, one, other, connects, sources } = pages();
    ports.heard(one, { say: "follow", wanted: log("1", "7") });
    ports.heard(other, { say: "follow", wanted: lines("1") });
    connects();
    sources[0]?.say("1.line", "y");
    expect(one.got).toEqual([]);
    expect(other.got).toEqual([{ id: "1", type: "line", data: '"y"' }]);
  });

  it("take their streams with them when they close", () => {
    const { ports, one, other, hub } = pages();
    ports.heard(one, { say: "follow", wanted: log("1", "7") });
    ports.heard(one, { say: "follow", wanted: log("2", "8") });
    ports.heard(other, { say: "follow", wanted: lines("1") });
    ports.heard(one, { say: "bye" });
    expect(hub.size).toBe(1);
  });

  it("that were silent for too long are dropped, and hear of it when they wake", () => {
    const { ports, one, other, hub, pass } = pages();
    ports.heard(one, { say: "follow", wanted: log("1", "7") });
    ports.heard(other, { say: "follow", wanted: lines("1") });
    pass(silentPageMillis);
    ports.heard(other, { say: "alive", ids: ["1"] });
    pass(1);
    ports.dropSilent();
    expect(hub.size).toBe(1);
    expect(other.got).toEqual([]);
    ports.heard(one, { say: "alive", ids: ["1"] });
    expect(one.got).toEqual([{ id: "1", type: "error", data: "" }]);
  });
});
