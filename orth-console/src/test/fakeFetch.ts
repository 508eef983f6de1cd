import { vi } from "vitest";

export type Call = { method: string; url: string; headers: Record<string, string>; body: unknown };

type Answer = { status?: number; body?: unknown; headers?: Record<string, string> } | Error;

/** Answers every request with what was queued, in order, and remembers what was asked. */
export const fakeFetch = (...answers: Answer[]): Call[] => fake(() => answers.shift());

/** Answers by method and path, such as `GET /api/queues`, as often as it is asked. A function looks at the call first. */
export const fakeServer = (routes: Record<string, Answer | ((call: Call) => Answer)>): Call[] =>
  fake((call) => {
    const route = routes[`${call.method} ${call.url.split("?", 1)[0] ?? ""}`];
    return typeof route === "function" ? route(call) : route;
  });

function fake(answerTo: (call: Call) => Answer | undefined): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal("fetch", (url: string, init: RequestInit) => {
    const body = typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : null;
    const call = { method: init.method ?? "GET", url, headers: init.headers as Record<string, string>, body };
    calls.push(call);
    const answer = answerTo(call);
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
