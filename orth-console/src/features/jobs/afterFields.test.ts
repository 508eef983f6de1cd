import { describe, expect, it } from "vitest";
import { nothingAfter } from "../../api/afterRun";
import { afterDraft, afterOf } from "./afterFields";

describe("what follows a run", () => {
  it("goes through the form unchanged", () => {
    const after = {
      retry: { retries: 3, backoff: "PT0.5S", longest: "PT90S" },
      children: [{ jobId: "7", name: "Report", pass: "FIXED" as const, param: "x" }],
    };

    expect(afterDraft(afterOf(after))).toEqual({
      retry: after.retry,
      children: [{ jobId: "7", pass: "FIXED", param: "x" }],
    });
    expect(afterDraft(afterOf(nothingAfter)).children).toEqual([]);
  });

  it("sends a parameter only where it is fixed, and no child that was not chosen", () => {
    const fields = { ...afterOf(nothingAfter), children: [{ jobId: "7", pass: "RESULT" as const, param: "typed before" }, {}] };

    expect(afterDraft(fields).children).toEqual([{ jobId: "7", pass: "RESULT", param: null }]);
  });

  it("never asks for a longest wait below the first", () => {
    const fields = { ...afterOf(nothingAfter), backoffSeconds: 7200, longestSeconds: 60 };

    expect(afterDraft(fields).retry.longest).toBe("PT7200S");
  });
});
