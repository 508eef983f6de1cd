import type { BlockScope, BlockStrategy, Execution, GlueType } from "../../api/execution";
import type { JobDraft } from "../../api/jobs";

/** The part of the form about what runs and how; the fields that do not apply keep what was typed. */
export type ExecutionFields = {
  kind: "HANDLER" | "SOURCE";
  handler: string;
  glueType: GlueType;
  source: string;
  note: string;
  blockStrategy: BlockStrategy;
  blockScope: BlockScope;
  concurrency: number;
  timeoutSeconds: number;
};

export const executionFieldNames: Record<string, keyof ExecutionFields> = {
  handler: "handler",
  glue: "kind",
  "glue.type": "glueType",
  "glue.source": "source",
  "glue.note": "note",
  blockStrategy: "blockStrategy",
  blockScope: "blockScope",
  concurrency: "concurrency",
  timeoutSeconds: "timeoutSeconds",
};

export const newExecution = (): Omit<ExecutionFields, "handler"> => ({
  kind: "HANDLER",
  glueType: "GLUE_SHELL",
  source: "",
  note: "",
  blockStrategy: "SERIAL",
  blockScope: "EXECUTOR",
  concurrency: 1,
  timeoutSeconds: 0,
});

export const executionOf = (job: Execution & { handler: string | null }): ExecutionFields => ({
  kind: job.glue === null ? "HANDLER" : "SOURCE",
  handler: job.handler ?? "",
  glueType: job.glue?.type ?? "GLUE_SHELL",
  source: job.glue?.source ?? "",
  note: "",
  blockStrategy: job.blockStrategy,
  blockScope: job.blockScope,
  concurrency: job.concurrency,
  timeoutSeconds: job.timeoutSeconds,
});

type Draft = Pick<JobDraft, "handler" | "glue" | "blockStrategy" | "blockScope" | "concurrency" | "timeoutSeconds">;

/** Only what belongs to the choices is sent. */
export const executionDraft = (fields: ExecutionFields): Draft => ({
  handler: fields.kind === "HANDLER" ? fields.handler.trim() : null,
  glue: fields.kind === "SOURCE" ? { type: fields.glueType, source: fields.source, note: (fields.note ?? "").trim() } : null,
  blockStrategy: fields.blockStrategy,
  blockScope: fields.blockScope,
  concurrency: fields.blockStrategy === "CONCURRENT" ? fields.concurrency : 1,
  timeoutSeconds: fields.timeoutSeconds ?? 0,
});
