import { describe, expect, it } from "vitest";
import { nothingAfter } from "../../api/afterRun";
import { afterDraft, afterOf } from "./afterFields";

describe("what follows a run", () => {
  it("goes through the form unchanged", () => {
    const after = {
      maxAttempts: 4,
      backoff: { initialDelay: "PT0.5S", multiplier: 3, maxDelay: "PT90S", jitter: 0.1 },
      children: [{ jobId: "7", name: "Report", pass: "FIXED" as const, param: "x" }],
    };

    expect(afterDraft(afterOf(after))).toEqual({
      maxAttempts: 4,
      backoff: after.backoff,
      children: [{ jobId: "7", pass: "FIXED", param: "x" }],
    });
    expect(afterDraft(afterOf(nothingAfter)).children).toEqual([]);
  });

  it("sends a parameter only where it is fixed, and no child that was not chosen", () => {
    const fields = { ...afterOf(nothingAfter), children: [{ jobId: "7", pass: "RESULT" as const, param: "typed before" }, {}] };

    expect(afterDraft(fields).children).toEqual([{ jobId: "7", pass: "RESULT", param: null }]);
  });
});
