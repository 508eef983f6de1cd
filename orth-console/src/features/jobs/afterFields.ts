import type { AfterRun, ChildDraft, Pass, Retry } from "../../api/afterRun";
import { parseDuration, toIsoDuration } from "../../lib/duration";

/** A child as the form has it while it is filled in. */
export type ChildFields = { jobId?: string; pass?: Pass; param?: string | null };

/** The part of the form about what follows a run. */
export type AfterFields = { retries: number; backoffSeconds: number; longestSeconds: number; children: ChildFields[] };

export const afterFieldNames: Record<string, keyof AfterFields> = {
  "retry.retries": "retries",
  "retry.backoff": "backoffSeconds",
  "retry.longest": "longestSeconds",
};

export const afterOf = ({ retry, children }: Pick<AfterRun, "retry" | "children">): AfterFields => ({
  retries: retry.retries,
  backoffSeconds: parseDuration(retry.backoff) ?? 10,
  longestSeconds: parseDuration(retry.longest) ?? 3600,
  children: children.map(({ jobId, pass, param }) => ({ jobId, pass, param })),
});

const toChild = ({ jobId, pass, param }: ChildFields): ChildDraft => ({
  jobId: jobId ?? "",
  pass: pass ?? "NONE",
  param: pass === "FIXED" ? (param ?? "") : null,
});

/** Only what belongs to the choices is sent. */
export const afterDraft = (fields: AfterFields): { retry: Retry; children: ChildDraft[] } => ({
  retry: {
    retries: fields.retries ?? 0,
    backoff: toIsoDuration(fields.backoffSeconds ?? 10, "seconds"),
    longest: toIsoDuration(Math.max(fields.longestSeconds ?? 3600, fields.backoffSeconds ?? 10), "seconds"),
  },
  children: (fields.children ?? []).filter(({ jobId }) => jobId !== undefined).map(toChild),
});
