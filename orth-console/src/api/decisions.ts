import { get, path, withQuery } from "./http";
import { mapPage, type Page, pageSize, toDate } from "./page";

/** Why planned fires did not become runs. */
export const decisionReasons = [
  "MISSED",
  "MERGED",
  "CATCH_UP_CAP",
  "PAUSED",
  "OUTSIDE_WINDOW",
  "RESCHEDULED",
  "UNREADABLE",
  "PAUSED_CHILD",
  "DELETED_CHILD",
  "DISCARDED",
  "NO_EXECUTOR",
] as const;
export type DecisionReason = (typeof decisionReasons)[number];

/** As the API sends it. `last` is null while the stretch goes on, `fires` where they cannot be counted. */
type DecisionWire = {
  id: string;
  jobId: string;
  jobName: string;
  reason: DecisionReason;
  first: string;
  last: string | null;
  fires: number | null;
  more: boolean;
  decidedAt: string;
};

export type Decision = Omit<DecisionWire, "first" | "last"> & { first: Date; last: Date | null };

export const toDecision = (wire: DecisionWire): Decision => ({
  ...wire,
  first: new Date(wire.first),
  last: toDate(wire.last),
});

export const decisionKeys = { ofJob: (jobId: string) => ["jobs", "decisions", jobId] as const };

export const listDecisions = async (jobId: string, after: string | null, signal?: AbortSignal): Promise<Page<Decision>> =>
  mapPage(
    await get<Page<DecisionWire>>(withQuery(path`/api/jobs/${jobId}/decisions`, { limit: pageSize, after }), signal),
    toDecision,
  );
