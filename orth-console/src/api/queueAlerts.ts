import { get, path, post, put, remove, withQuery } from "./http";
import { all, mapPage, type Page, pageSize, toDate } from "./page";

export const alertKinds = ["BACKLOG", "FAILURE_RATIO", "NO_WORKERS"] as const;
export type AlertKind = (typeof alertKinds)[number];

/** What a rule watches for. What its kind does not have is null; `queue` is null for all queues. */
export type AlertRule = {
  id: string;
  name: string;
  kind: AlertKind;
  queue: string | null;
  waiting: number | null;
  oldestSeconds: number | null;
  ratio: number | null;
  minEnded: number | null;
  overSeconds: number | null;
  forSeconds: number;
  coolDownSeconds: number;
  enabled: boolean;
  version: number;
};

/** What is left out gets the usual value of the kind. */
export type AlertRuleDraft = Pick<AlertRule, "name" | "kind" | "queue" | "enabled"> &
  Partial<Pick<AlertRule, "waiting" | "oldestSeconds" | "ratio" | "minEnded" | "overSeconds" | "forSeconds" | "coolDownSeconds" | "version">>;

export type AlertWire = {
  id: string;
  ruleId: string;
  ruleName: string;
  kind: AlertKind;
  queue: string;
  text: string;
  firedAt: string;
  told: number;
  toldAt: string;
  /** Null while it fires. */
  endedAt: string | null;
  endedBy: "RECOVERED" | "RULE" | null;
};

/** Something that fires, or has; its rule and its queue may be gone. */
export type QueueAlert = Omit<AlertWire, "firedAt" | "toldAt" | "endedAt"> & { firedAt: Date; toldAt: Date; endedAt: Date | null };

export const toAlert = (wire: AlertWire): QueueAlert => ({
  ...wire,
  firedAt: new Date(wire.firedAt),
  toldAt: new Date(wire.toldAt),
  endedAt: toDate(wire.endedAt),
});

export const queueAlertKeys = {
  all: ["queueAlerts"] as const,
  rules: ["queueAlerts", "rules"] as const,
  firing: ["queueAlerts", "firing"] as const,
  ended: ["queueAlerts", "ended"] as const,
};

export const listRules = async (signal?: AbortSignal): Promise<AlertRule[]> =>
  (await get<Page<AlertRule>>("/api/queue-alerts/rules", signal)).items;

export const listFiring = async (signal?: AbortSignal): Promise<QueueAlert[]> =>
  (await all<AlertWire>("/api/queue-alerts", { firing: "true" }, signal)).map(toAlert);

export const listEnded = async (after: string | null, signal?: AbortSignal): Promise<Page<QueueAlert>> =>
  mapPage(await get<Page<AlertWire>>(withQuery("/api/queue-alerts", { firing: "false", limit: pageSize, after }), signal), toAlert);

export const createRule = (draft: AlertRuleDraft): Promise<AlertRule> => post("/api/queue-alerts/rules", draft);

export const updateRule = (id: string, draft: AlertRuleDraft): Promise<AlertRule> => put(path`/api/queue-alerts/rules/${id}`, draft);

export const deleteRule = (id: string): Promise<void> => remove(path`/api/queue-alerts/rules/${id}`);
