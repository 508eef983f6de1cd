import { describe, expect, it } from "vitest";
import { LineBuffer } from "../lib/lineBuffer";
import { fakeFetch } from "../test/fakeFetch";
import { AttemptLog, messageLogPath, readPieceOf, readWholeAttempt, tailBytes, taskLogPath } from "./attemptLog";
import { Problem } from "./problem";
import type { LogPage } from "./runLog";

/** Until what was answered is taken. */
const settle = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve);
  });

/** A log that grows, or fails to be read, as the test says. */
function fixture(whole = false) {
  const file = { text: "", ended: false, exists: true, zone: null as string | null, problem: null as Problem | null };
  const asked: [from: number, limit: number][] = [];
  let next: (() => void) | null = null;
  const buffer = new LineBuffer();
  const read = (from: number, limit: number): Promise<LogPage> => {
    asked.push([from, limit]);
    if (file.problem !== null) {
      return Promise.reject(file.problem);
    }
    const text = file.text.slice(from, from + limit);
    const to = from + text.length;
    const size = file.text.length;
    return Promise.resolve({ exists: file.exists, from, to, size, text, end: file.ended && to >= size, zone: file.zone });
  };
  const delays: number[] = [];
  const log = new AttemptLog({
    read,
    buffer,
    whole,
    onChange: () => undefined,
    later: (task, millis) => {
      delays.push(millis);
      next = task;
      return () => {
        next = null;
      };
    },
  });
  const tick = async (): Promise<void> => {
    const task = next;
    next = null;
    task?.();
    await settle();
  };
  return { file, log, buffer, asked, delays, tick, isWaiting: () => next !== null };
}

const piece = (from: number, text: string) => ({ body: { exists: true, from, to: from + text.length, size: 6, text, end: false } });

const line = (number: number): string => `line ${String(number).padStart(9, "0")}\n`;

describe("the log of an attempt @must-first", () => {
  it("is read until the attempt has ended", async () => {
    const { file, log, buffer, tick, isWaiting, delays } = fixture();
    file.text = "one\n";
    log.start();
    await settle();
    expect([log.state, buffer.text(), log.zone]).toEqual(["live", "one", null]);
    file.zone = "Asia/Kolkata";
    file.text += "two\n";
    file.ended = true;
    await tick();
    expect([log.state, buffer.text(), log.zone]).toEqual(["ended", "one\ntwo", "Asia/Kolkata"]);
    expect(isWaiting()).toBe(false);
    expect(delays).toEqual([1500]);
  });

  it("begins near its end where it is long, with a whole line, and with the first byte on request", async () => {
    const lines = 30_000;
    const text = Array.from({ length: lines }, (_, index) => line(index + 1)).join("");
    const short = fixture();
    short.file.text = text;
    short.file.ended = true;
    short.log.start();
    await settle();
    expect(short.log.skipped).toBe(text.length - tailBytes);
    expect(short.asked).toEqual([
      [0, tailBytes],
      [text.length - tailBytes, 1_000_000],
    ]);
    expect(short.buffer.line(0)).toMatch(/^line \d{9}$/);
    expect(short.buffer.line(short.buffer.length - 1)).toBe(line(lines).trim());
    expect(short.log.state).toBe("ended");

    const all = fixture(true);
    all.file.text = text;
    all.file.ended = true;
    all.log.start();
    await settle();
    expect([all.log.skipped, all.buffer.line(0), all.buffer.length]).toEqual([0, line(1).trim(), lines]);
  });

  it("waits for one that is not there yet, and says where there is none", async () => {
    const { file, log, tick, isWaiting } = fixture();
    file.exists = false;
    log.start();
    await settle();
    expect([log.state, log.exists, isWaiting()]).toEqual(["live", false, true]);
    file.ended = true;
    await tick();
    expect([log.state, log.exists, isWaiting()]).toEqual(["ended", false, false]);
  });

  it("is tried again where its executor, or the server, cannot be reached", async () => {
    const { file, log, buffer, tick, delays } = fixture();
    file.problem = new Problem(502, { code: "EXECUTOR_UNREACHABLE", detail: "executor 3 is offline" });
    log.start();
    await settle();
    expect([log.state, log.message]).toEqual(["unavailable", "executor 3 is offline"]);
    file.problem = new Problem(0, {});
    await tick();
    expect(log.state).toBe("reconnecting");
    file.problem = null;
    file.text = "here\n";
    file.ended = true;
    await tick();
    expect([log.state, buffer.text()]).toEqual(["ended", "here"]);
    expect(delays).toEqual([5000, 5000]);
  });

  it("is not read any more once it is stopped", async () => {
    const { file, log, buffer, isWaiting } = fixture();
    file.text = "one\n";
    log.start();
    log.stop();
    await settle();
    expect([buffer.length, isWaiting()]).toEqual([0, false]);
  });

  it("is asked for by its number, and downloaded piece by piece", async () => {
    const of = messageLogPath("q", "88", "511");
    const calls = fakeFetch(piece(0, "abc"), piece(0, "abc"), piece(3, "def"));
    await readPieceOf(of)(0, 9);
    expect(await readWholeAttempt(of)).toEqual(["abc", "def"]);
    expect(calls.map((call) => call.url)).toEqual([
      "/api/queues/q/messages/88/log?logId=511&from=0&limit=9",
      "/api/queues/q/messages/88/log?logId=511&from=0&limit=1000000",
      "/api/queues/q/messages/88/log?logId=511&from=3&limit=1000000",
    ]);
    const ofTask = fakeFetch(piece(0, "abcdef"));
    await readPieceOf(taskLogPath("71"))(0, 9);
    expect(ofTask[0]?.url).toBe("/api/pipeline-tasks/71/log?from=0&limit=9");
  });
});
