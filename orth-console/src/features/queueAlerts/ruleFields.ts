import type { AlertKind, AlertRule, AlertRuleDraft } from "../../api/queueAlerts";

/** What the dialog holds; a share is in per cent. What is empty gets the usual value. */
export type RuleFields = {
  name: string;
  kind: AlertKind;
  queue?: string | null;
  waiting?: number | null;
  oldestSeconds?: number | null;
  ratio?: number | null;
  minEnded?: number | null;
  overSeconds?: number | null;
  forSeconds?: number | null;
  coolDownSeconds?: number | null;
  enabled: boolean;
};

export const newRule: Partial<RuleFields> = { kind: "BACKLOG", waiting: 1000, enabled: true };

/** What the server fills in, shown where a field is empty. */
export const usual: Record<AlertKind, { forSeconds: number; coolDownSeconds: number }> = {
  BACKLOG: { forSeconds: 0, coolDownSeconds: 3600 },
  FAILURE_RATIO: { forSeconds: 0, coolDownSeconds: 1800 },
  NO_WORKERS: { forSeconds: 60, coolDownSeconds: 900 },
};

export const fieldsOf = (rule: AlertRule): RuleFields => ({
  name: rule.name,
  kind: rule.kind,
  queue: rule.queue,
  waiting: rule.waiting,
  oldestSeconds: rule.oldestSeconds,
  ratio: rule.ratio === null ? null : Number((rule.ratio * 100).toFixed(4)),
  minEnded: rule.minEnded,
  overSeconds: rule.overSeconds,
  forSeconds: rule.forSeconds,
  coolDownSeconds: rule.coolDownSeconds,
  enabled: rule.enabled,
});

/** What another kind would have is left out: it may still be there from before the kind was changed. */
const fitting = {
  BACKLOG: ["waiting", "oldestSeconds"],
  FAILURE_RATIO: ["ratio", "minEnded", "overSeconds"],
  NO_WORKERS: [],
} as const;

export function draftOf(fields: RuleFields, version?: number): AlertRuleDraft {
  const wanted = [...fitting[fields.kind], "forSeconds", "coolDownSeconds"] as const;
  const numbers = wanted.flatMap((name) => {
    const value = fields[name];
    return value === null || value === undefined ? [] : [[name, name === "ratio" ? value / 100 : value] as const];
  });
  return {
    name: fields.name.trim(),
    kind: fields.kind,
    queue: fields.queue ?? null,
    enabled: fields.enabled,
    ...Object.fromEntries(numbers),
    ...(version === undefined ? {} : { version }),
  };
}
