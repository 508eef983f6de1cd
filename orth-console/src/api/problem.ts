export type FieldError = { field: string; message: string };

type ProblemWire = {
  title?: string;
  status?: number;
  detail?: string;
  code?: string;
  errors?: FieldError[];
  traceId?: string;
};

/** An answer that is not a success, in RFC 9457 terms. Status 0 means that no answer came at all. */
export class Problem extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly FieldError[];
  readonly traceId: string | null;
  /** Seconds the server asks to wait, from Retry-After. */
  readonly retryAfter: number | null;
  /** Whether it answers something that was to change anything. */
  readonly toChange: boolean;

  constructor(status: number, wire: ProblemWire, retryAfter: number | null = null, toChange = false) {
    super(wire.detail ?? wire.title ?? (status === 0 ? "no answer" : `HTTP ${status}`));
    this.name = "Problem";
    this.status = status;
    this.code = wire.code ?? (status === 0 ? "unreachable" : `http-${status}`);
    this.errors = wire.errors ?? [];
    this.traceId = wire.traceId ?? null;
    this.retryAfter = retryAfter;
    this.toChange = toChange;
  }

  /** No answer, or a gateway speaking for a server that is away. An executor that is away is not the server. */
  get unreachable(): boolean {
    const gateway = this.status >= 502 && this.status <= 504;
    return this.status === 0 || (gateway && this.code !== "EXECUTOR_UNREACHABLE");
  }
}

export const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof Problem && error.status === status;

/** Retry-After is either seconds or an HTTP date. */
export function retryAfterSeconds(header: string | null, now: Date): number | null {
  if (header === null || header.trim() === "") {
    return null;
  }
  const seconds = Number(header);
  if (Number.isFinite(seconds)) {
    return Math.max(0, Math.ceil(seconds));
  }
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}

export function problemOf(response: Pick<Response, "status" | "headers">, text: string, now: Date, toChange = false): Problem {
  const retryAfter = retryAfterSeconds(response.headers.get("Retry-After"), now);
  const type = response.headers.get("Content-Type") ?? "";
  return new Problem(response.status, type.includes("json") ? wireOf(text) : {}, retryAfter, toChange);
}

/** An answer that was cut off on its way says nothing more than its status. */
function wireOf(text: string): ProblemWire {
  try {
    return JSON.parse(text) as ProblemWire;
  } catch {
    return {};
  }
}
