import type { Job, JobDraft } from "../../api/jobs";
import { draftOf, fieldsOf } from "./jobFields";

/** The sections of the form, by the name of their title. */
const parts = {
  "jobForm.what": ["name", "groupId", "handler", "glue", "param"],
  "execution.how": ["blockStrategy", "blockScope", "concurrency", "timeoutSeconds"],
  "routing.where": ["routing", "addresses"],
  "jobForm.when": ["schedule", "misfire", "enabled"],
  "after.title": ["maxAttempts", "backoff", "children"],
} as const satisfies Record<string, readonly (keyof JobDraft)[]>;

export type JobPart = keyof typeof parts;

/** In which sections of the form two states of a job differ. */
export function changedParts(one: Job, other: Job): JobPart[] {
  const [before, after] = [draftOf(fieldsOf(one)), draftOf(fieldsOf(other))];
  const differs = (field: keyof JobDraft): boolean => JSON.stringify(before[field]) !== JSON.stringify(after[field]);
  return (Object.keys(parts) as JobPart[]).filter((part) => parts[part].some(differs));
}
