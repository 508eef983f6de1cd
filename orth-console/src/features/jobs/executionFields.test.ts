import { describe, expect, it } from "vitest";
import { toJob } from "../../api/jobs";
import { lineChanges } from "../../lib/lineChanges";
import { jobWire } from "../../test/factories";
import { executionDraft, type ExecutionFields, executionOf, newExecution } from "./executionFields";

const fields = (change: Partial<ExecutionFields>): ExecutionFields => ({ ...newExecution(), handler: " h ", ...change });

describe("what a job runs", () => {
  it("is a handler or source, never both", () => {
    expect(executionDraft(fields({ source: "echo" }))).toMatchObject({ handler: "h", glue: null });
    expect(executionDraft(fields({ kind: "SOURCE", source: "echo", note: " why " }))).toMatchObject({
      handler: null,
      glue: { type: "GLUE_SHELL", source: "echo", note: "why" },
    });
  });

  it("counts runs at once only where they are side by side", () => {
    expect(executionDraft(fields({ concurrency: 7 })).concurrency).toBe(1);
    expect(executionDraft(fields({ concurrency: 7, blockStrategy: "CONCURRENT" })).concurrency).toBe(7);
  });

  it("counts as busy on each executor unless said otherwise", () => {
    expect(executionDraft(fields({})).blockScope).toBe("EXECUTOR");
    expect(executionDraft(fields({ blockScope: "CLUSTER" })).blockScope).toBe("CLUSTER");
  });

  it("comes back to the form as it was saved", () => {
    const job = toJob(jobWire({ handler: null, glue: { type: "GLUE_PYTHON", version: 4, source: "print()" }, timeoutSeconds: 9, blockScope: "CLUSTER" }));
    expect(executionOf(job)).toMatchObject({ kind: "SOURCE", handler: "", glueType: "GLUE_PYTHON", source: "print()", timeoutSeconds: 9, blockScope: "CLUSTER" });
  });
});

describe("changed lines", () => {
  it("are counted on both sides", () => {
    expect(lineChanges("a\nb\nc", "a\nx\nc\ny")).toEqual({ added: 2, removed: 1 });
    expect(lineChanges("a\na", "a")).toEqual({ added: 0, removed: 1 });
    expect(lineChanges("a\nb", "b\na")).toEqual({ added: 0, removed: 0 });
  });
});
