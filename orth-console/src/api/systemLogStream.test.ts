import { describe, expect, it } from "vitest";
import { FakeSource } from "../test/fakeSource";
import { logLineWire } from "../test/factories";
import { fakeFetch } from "../test/fakeFetch";
import { searchLog } from "./systemLog";
import { mostLines, SystemLogStream } from "./systemLogStream";

function fixture() {
  const sources: FakeSource[] = [];
  let pending: (() => void) | null = null;
  const stream = new SystemLogStream({
    onChange: () => undefined,
    ask: () => Promise.resolve(null),
    open: () => {
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
  const tell = (...seconds: number[]): void => {
    for (const second of seconds) {
      current().say("line", logLineWire({ id: `n#${second}`, at: new Date(second * 1000).toISOString() }));
    }
  };
  return { stream, current, tell, again: () => pending?.(), ids: () => stream.rows.map((row) => row.id) };
}

describe("a stream of the system log", () => {
  it("has the newest first, wherever and whenever they come", () => {
    const { stream, current, tell, ids } = fixture();
    stream.start();
    current().say("open");
    tell(5, 7, 6);
    expect(ids()).toEqual(["n#7", "n#6", "n#5"]);
    expect(stream.state).toBe("live");
  });

  it("has a line once though every connection begins with those that are there", () => {
    const { stream, current, tell, again, ids } = fixture();
    stream.start();
    current().say("open");
    tell(1, 2);
    current().say("error");
    expect(stream.state).toBe("reconnecting");
    again();
    current().say("open");
    tell(1, 2, 3);
    expect(ids()).toEqual(["n#3", "n#2", "n#1"]);
  });

  it("holds the newest hundred", () => {
    const { stream, tell, ids } = fixture();
    stream.start();
    tell(...Array.from({ length: mostLines + 20 }, (_, index) => index + 1));
    expect(stream.rows.length).toBe(mostLines);
    expect(ids()[0]).toBe(`n#${mostLines + 20}`);
    tell(3);
    expect(ids()).not.toContain("n#3");
  });

  it("stands still while it is paused", () => {
    const { stream, current, tell, ids } = fixture();
    stream.start();
    tell(1);
    stream.pause();
    expect(current().closed).toBe(true);
    tell(2);
    expect(ids()).toEqual(["n#1"]);
    expect(stream.state).toBe("paused");
    stream.resume();
    tell(1, 2, 3);
    expect(ids()).toEqual(["n#3", "n#2", "n#1"]);
  });

  it("counts those it was never told", () => {
    const { stream, current } = fixture();
    stream.start();
    current().say("missed", { lines: 30 });
    current().say("missed", { lines: 12 });
    expect(stream.missed).toBe(42);
  });
});

describe("the archive of the system log", () => {
  it("is searched with the filter and the cursor", async () => {
    const calls = fakeFetch({ body: { items: [logLineWire()], next: "17" } });
    const page = await searchLog({ level: "WARN", worker_id: "w", message: "50%" }, "20");
    expect(calls[0]?.url).toBe("/api/logs/archive?level=WARN&worker_id=w&message=50%25&limit=50&after=20");
    expect(page.next).toBe("17");
    expect(page.items[0]?.at).toEqual(new Date("2026-11-03T13:05:09.120Z"));
  });
});
