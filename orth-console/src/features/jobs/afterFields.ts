import type { AfterRun, ChildDraft, Pass } from "../../api/afterRun";
import type { RetryPolicy } from "../../api/retry";
import { retryDraft, type RetryFields, retryFieldNames, retryFieldsOf } from "../../ui/retryFields";

/** A child as the form has it while it is filled in. */
export type ChildFields = { jobId?: string; pass?: Pass; param?: string | null };

/** The part of the form about what follows a run. */
export type AfterFields = RetryFields & { children: ChildFields[] };

export const afterFieldNames: Record<string, keyof AfterFields> = Object.fromEntries(retryFieldNames.map((name) => [name, name]));

export const afterOf = (after: RetryPolicy & Pick<AfterRun, "children">): AfterFields => ({
  ...retryFieldsOf(after),
  children: after.children.map(({ jobId, pass, param }) => ({ jobId, pass, param })),
});

const toChild = ({ jobId, pass, param }: ChildFields): ChildDraft => ({
  jobId: jobId ?? "",
  pass: pass ?? "NONE",
  param: pass === "FIXED" ? (param ?? "") : null,
});

/** Only what belongs to the choices is sent. */
export const afterDraft = (fields: AfterFields): RetryPolicy & { children: ChildDraft[] } => ({
  ...retryDraft(fields),
  children: (fields.children ?? []).filter(({ jobId }) => jobId !== undefined).map(toChild),
});
