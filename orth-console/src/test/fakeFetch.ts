import { vi } from "vitest";

export type Call = { method: string; url: string; headers: Record<string, string>; body: unknown };

type Answer = { status?: number; body?: unknown; headers?: Record<string, string> } | Error;

/** Answers every request with what was queued, in order, and remembers what was asked. */
export function fakeFetch(...answers: Answer[]): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
    const answer = answers.shift();
    const body = typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : null;
    calls.push({ method: init.method ?? "GET", url, headers: init.headers as Record<string, string>, body });
    if (answer === undefined) {
      return Promise.reject(new Error(`nobody expects ${url}`));
    }
    if (answer instanceof Error) {
      return Promise.reject(answer);
    }
    const { status = 200, headers = {} } = answer;
    const text = answer.body === undefined ? null : JSON.stringify(answer.body);
    const type = status >= 400 ? "application/problem+json" : "application/json";
    return Promise.resolve(new Response(text, { status, headers: { "Content-Type": type, ...headers } }));
  });
  return calls;
}
