import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fakeFetch } from "../test/fakeFetch";
import { reachable, sessionLost } from "./connection";
import { get, path, post, readCookie, remove, withQuery } from "./http";
import { Problem, retryAfterSeconds } from "./problem";
import { logIn } from "./session";

/** A server that takes the call and says nothing. */
function frozenServer(): AbortSignal[] {
  const signals: AbortSignal[] = [];
  vi.stubGlobal("fetch", (_: string, { signal }: { signal: AbortSignal }) => {
    signals.push(signal);
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
    });
  });
  return signals;
}

describe("a call of the API", () => {
  beforeEach(() => {
    sessionLost.set(false);
    reachable.set(true);
    document.cookie = "XSRF-TOKEN=a%2Bb";
  });

  it("sends the token of the cookie with what changes something, and not with what reads", async () => {
    const calls = fakeFetch({ body: {} }, { body: {} }, { status: 204 });
    await get("/api/jobs");
    await post("/api/jobs", { name: "x" });
    await remove("/api/jobs/1");
    expect(calls.map((call) => call.headers["X-XSRF-TOKEN"])).toEqual([undefined, "a+b", "a+b"]);
    expect(calls[1]).toMatchObject({ method: "POST", body: { name: "x" } });
  });

  it("turns a problem document into an error with its fields", async () => {
    fakeFetch({
      status: 422,
      body: { title: "Invalid", detail: "the job is invalid", code: "job-invalid", errors: [{ field: "schedule.cron", message: "too short" }], traceId: "t1" },
    });
    const error = await post("/api/jobs", {}).catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(Problem);
    expect(error).toMatchObject({
      status: 422,
      code: "job-invalid",
      message: "the job is invalid",
      errors: [{ field: "schedule.cron", message: "too short" }],
      traceId: "t1",
    });
  });

  it("marks the session as lost on a 401, but not when a login is refused", async () => {
    fakeFetch({ status: 401, body: { code: "bad-credentials" } }, { status: 401, body: {} });
    await expect(logIn("a", "b")).rejects.toMatchObject({ status: 401 });
    expect(sessionLost.get()).toBe(false);
    await expect(get("/api/jobs")).rejects.toMatchObject({ status: 401 });
    expect(sessionLost.get()).toBe(true);
  });

  it("knows that the server is away when nothing or a gateway answers, and that it is back", async () => {
    fakeFetch(new TypeError("refused"), { body: {} }, { status: 503, body: {} }, { status: 404, body: {} }, { status: 502, body: { code: "EXECUTOR_UNREACHABLE" } });
    await expect(get("/api/jobs")).rejects.toMatchObject({ status: 0, code: "unreachable" });
    expect(reachable.get()).toBe(false);
    await get("/api/jobs");
    expect(reachable.get()).toBe(true);
    await expect(get("/api/jobs")).rejects.toMatchObject({ status: 503 });
    expect(reachable.get()).toBe(false);
    await expect(get("/api/jobs/1")).rejects.toMatchObject({ status: 404 });
    expect(reachable.get()).toBe(true);
    await expect(get("/api/runs/1/log")).rejects.toMatchObject({ status: 502 });
    expect(reachable.get()).toBe(true);
  });

  it("reads how long to wait from seconds and from a date", () => {
    const now = new Date("2026-11-03T13:00:00Z");
    expect(retryAfterSeconds("7", now)).toBe(7);
    expect(retryAfterSeconds("Tue, 03 Nov 2026 13:00:30 GMT", now)).toBe(30);
    expect(retryAfterSeconds(null, now)).toBeNull();
    expect(retryAfterSeconds("soon", now)).toBeNull();
  });

  it("gives the wait of a refused login to the form", async () => {
    fakeFetch({ status: 429, body: {}, headers: { "Retry-After": "12" } });
    await expect(logIn("a", "b")).rejects.toMatchObject({ status: 429, retryAfter: 12 });
  });
});

describe("a call without an answer", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    reachable.set(true);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is given up after ten seconds where it reads, later where it writes @must-first", async () => {
    const signals = frozenServer();
    const read = get("/api/jobs").catch((problem: unknown) => problem);
    const write = post("/api/jobs", {}).catch((problem: unknown) => problem);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(signals.map((each) => each.aborted)).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(1);
    expect(signals.map((each) => each.aborted)).toEqual([true, false]);
    expect(await read).toMatchObject({ status: 0, code: "unreachable" });
    expect(reachable.get()).toBe(false);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await write).toMatchObject({ status: 0 });
  });

  it("that nobody wants any more says nothing about the server @must-first", async () => {
    const signals = frozenServer();
    const unwanted = new AbortController();
    const read = get("/api/jobs", unwanted.signal).catch((problem: unknown) => problem);
    unwanted.abort();
    expect(await read).toMatchObject({ name: "AbortError" });
    expect(signals[0]?.aborted).toBe(true);
    expect(reachable.get()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is given up when its body stops coming @must-first", async () => {
    vi.stubGlobal("fetch", (_: string, { signal }: { signal: AbortSignal }) =>
      Promise.resolve(
        new Response(
          new ReadableStream({
            start: (body) => signal.addEventListener("abort", () => body.error(new DOMException("aborted", "AbortError"))),
          }),
        ),
      ),
    );
    const read = get("/api/jobs").catch((problem: unknown) => problem);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await read).toMatchObject({ status: 0 });
  });
});

describe("addresses", () => {
  it("keep an id in its own segment", () => {
    expect(path`/api/jobs/${"../users?x=1"}/trigger`).toBe("/api/jobs/..%2Fusers%3Fx%3D1/trigger");
  });

  it("leave out what is not set", () => {
    expect(withQuery("/api/runs", { status: "FAILED", jobId: undefined, after: null, q: "" })).toBe("/api/runs?status=FAILED");
    expect(withQuery("/api/runs", {})).toBe("/api/runs");
    expect(withQuery("/api/runs", { status: ["FAILED", "", "TIMEOUT"], q: [] })).toBe("/api/runs?status=FAILED&status=TIMEOUT");
    expect(withQuery("/api/runs", { q: "a&b=c" })).toBe("/api/runs?q=a%26b%3Dc");
  });

  it("find one cookie among others", () => {
    expect(readCookie("XSRF-TOKEN", "a=1; XSRF-TOKEN=x%20y; b=2")).toBe("x y");
    expect(readCookie("TOKEN", "XSRF-TOKEN=x")).toBeNull();
  });
});
