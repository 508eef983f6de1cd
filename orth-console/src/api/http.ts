import { answered, sessionLost, unreachable } from "./connection";
import { Problem, readProblem } from "./problem";

type Method = "GET" | "POST" | "PUT" | "DELETE";

type Options = {
  body?: unknown;
  /** A body that is no JSON. */
  file?: { type: string; text: string };
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** True where a 401 is an answer about the request itself (logging in, asking who I am). */
  anonymous?: boolean;
};

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

async function send(method: Method, path: string, options: Options): Promise<Response> {
  const { body, file = body === undefined ? null : { type: "application/json", text: JSON.stringify(body) } } = options;
  try {
    return await fetch(path, {
      method,
      headers: { ...headersOf(method, file?.type ?? null), ...options.headers },
      body: file?.text ?? null,
      signal: options.signal ?? null,
      credentials: "same-origin",
    });
  } catch (error) {
    if (options.signal?.aborted) {
      throw error;
    }
    unreachable();
    throw new Problem(0, {});
  }
}

/** The text of one call of the API. Throws a {@link Problem} for everything that is not a success. */
export async function requestText(method: Method, path: string, options: Options = {}): Promise<string> {
  const response = await send(method, path, options);
  if (!response.ok) {
    const problem = await readProblem(response, new Date());
    if (problem.unreachable) {
      unreachable();
    } else {
      answered(new Date());
    }
    if (problem.status === 401 && options.anonymous !== true) {
      sessionLost.set(true);
    }
    throw problem;
  }
  answered(new Date());
  return response.text();
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

type QueryValue = string | number | boolean | null | undefined;

/** Appends what is set; empty and absent values are left out. */
export function withQuery(path: string, query: Record<string, QueryValue>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") {
      params.set(name, String(value));
    }
  }
  const text = params.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Builds a path whose inserted parts are always single, escaped segments. */
export const path = (parts: TemplateStringsArray, ...segments: string[]): string =>
  parts.reduce((text, part, index) => text + encodeURIComponent(segments[index - 1] ?? "") + part);
