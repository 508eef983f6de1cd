import { describe, expect, it } from "vitest";
import { alertRule } from "../../test/queueFactories";
import { draftOf, fieldsOf } from "./ruleFields";

describe("a rule in its dialog", () => {
  it("comes out as it went in", () => {
    const backlog = alertRule({ waiting: 500, oldestSeconds: 60, queue: "emails" });
    expect(draftOf(fieldsOf(backlog), 3)).toEqual({
      name: "Backlog",
      kind: "BACKLOG",
      queue: "emails",
      waiting: 500,
      oldestSeconds: 60,
      forSeconds: 0,
      coolDownSeconds: 3600,
      enabled: true,
      version: 3,
    });
  });

  it("shows a share in per cent", () => {
    const failures = alertRule({ kind: "FAILURE_RATIO", waiting: null, ratio: 0.07, minEnded: 50, overSeconds: 300 });
    expect(fieldsOf(failures).ratio).toBe(7);
    expect(draftOf(fieldsOf(failures)).ratio).toBe(0.07);
  });

  it("sends nothing of another kind, and nothing that is empty", () => {
    const changed = { ...fieldsOf(alertRule({ waiting: 500 })), kind: "NO_WORKERS" as const, forSeconds: null, name: " Nobody " };
    expect(draftOf(changed)).toEqual({ name: "Nobody", kind: "NO_WORKERS", queue: null, coolDownSeconds: 3600, enabled: true });
  });
});
