import { reachable, sessionLost } from "./connection";
import { Problem, problemOf } from "./problem";

type Method = "GET" | "POST" | "PUT" | "DELETE";

type Options = {
  body?: unknown;
  /** A body that is no JSON. */
  file?: { type: string; text: string };
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** True where a 401 is an answer about the request itself (logging in, asking who I am). */
  anonymous?: boolean;
  /** How long an answer is waited for, where it takes longer than usual. */
  timeoutMillis?: number;
};

/** A read is done again soon; a write is not, so it has longer. */
const timeoutMillisOf = (method: Method): number => (method === "GET" ? 10_000 : 30_000);

/** A large answer takes its time once it has begun. */
const bodyTimeoutMillis = 60_000;

/** Ends a call when its time is over, or when it is not wanted any more. */
class Deadline {
  private readonly over = new AbortController();
  private readonly wanted: AbortSignal | undefined;
  private readonly abandon = (): void => this.over.abort();
  private timer: ReturnType<typeof setTimeout>;

  constructor(millis: number, wanted: AbortSignal | undefined) {
    this.wanted = wanted;
    this.timer = setTimeout(this.abandon, millis);
    if (wanted?.aborted) {
      this.abandon();
    }
    wanted?.addEventListener("abort", this.abandon);
  }

  get signal(): AbortSignal {
    return this.over.signal;
  }

  extend(millis: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.abandon, millis);
  }

  done(): void {
    clearTimeout(this.timer);
    this.wanted?.removeEventListener("abort", this.abandon);
  }
}

export const readCookie = (name: string, cookies: string = document.cookie): string | null => {
  const found = cookies.split("; ").find((each) => each.startsWith(`${name}=`));
  return found === undefined ? null : decodeURIComponent(found.slice(name.length + 1));
};

function headersOf(method: Method, contentType: string | null): Record<string, string> {
  const headers: Record<string, string> = { Accept: "application/json" };
  if (contentType !== null) {
    headers["Content-Type"] = contentType;
  }
  const token = method === "GET" ? null : readCookie("XSRF-TOKEN");
  if (token !== null) {
    headers["X-XSRF-TOKEN"] = token;
  }
  return headers;
}

const send = (method: Method, path: string, options: Options, signal: AbortSignal): Promise<Response> => {
  const { body, file = body === undefined ? null : { type: "application/json", text: JSON.stringify(body) } } = options;
  return fetch(path, {
    method,
    headers: { ...headersOf(method, file?.type ?? null), ...options.headers },
    body: file?.text ?? null,
    signal,
    credentials: "same-origin",
  });
};

/** The answer to a call, as far as one came in time. */
async function exchange(method: Method, path: string, options: Options): Promise<{ response: Response; text: string }> {
  const deadline = new Deadline(options.timeoutMillis ?? timeoutMillisOf(method), options.signal);
  try {
    const response = await send(method, path, options, deadline.signal);
    deadline.extend(bodyTimeoutMillis);
    return { response, text: await response.text() };
  } catch (error) {
    if (options.signal?.aborted) {
      throw error;
    }
    reachable.set(false);
    throw new Problem(0, {}, null, method !== "GET");
  } finally {
    deadline.done();
  }
}

/** The text of one call of the API. Throws a {@link Problem} for everything that is not a success. */
export async function requestText(method: Method, path: string, options: Options = {}): Promise<string> {
  const { response, text } = await exchange(method, path, options);
  if (!response.ok) {
    const problem = problemOf(response, text, new Date(), method !== "GET");
    reachable.set(!problem.unreachable);
    if (problem.status === 401 && options.anonymous !== true) {
      sessionLost.set(true);
    }
    throw problem;
  }
  reachable.set(true);
  return text;
}

/** As {@link requestText}, for an answer that is JSON, or nothing. */
export async function request<T>(method: Method, path: string, options: Options = {}): Promise<T> {
  const text = await requestText(method, path, options);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

export const get = <T>(path: string, signal?: AbortSignal): Promise<T> => request<T>("GET", path, { signal });
export const post = <T>(path: string, body?: unknown): Promise<T> => request<T>("POST", path, { body });
export const put = <T>(path: string, body: unknown): Promise<T> => request<T>("PUT", path, { body });
export const remove = (path: string): Promise<void> => request<void>("DELETE", path);

type QueryValue = string | number | boolean | null | undefined | readonly string[];

/** Appends what is set; empty and absent values are left out, and of several each is given. */
export function withQuery(path: string, query: Record<string, QueryValue>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null && each !== "") {
        params.append(name, String(each));
      }
    }
  }
  const text = params.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Builds a path whose inserted parts are always single, escaped segments. */
export const path = (parts: TemplateStringsArray, ...segments: string[]): string =>
  parts.reduce((text, part, index) => text + encodeURIComponent(segments[index - 1] ?? "") + part);
