import { get, withQuery } from "./http";
import { mapPage, type Page, pageSize } from "./page";

type AuditWire = {
  id: string;
  at: string;
  actor: string | null;
  action: string;
  object: string | null;
  /** The HTTP status of the call; null while it is under way, or where the server died in it. */
  outcome: number | null;
  address: string | null;
  detail: string | null;
};

export type AuditEntry = Omit<AuditWire, "at"> & { at: Date };

export const toAuditEntry = (wire: AuditWire): AuditEntry => ({ ...wire, at: new Date(wire.at) });

export type AuditFilter = { user?: string; q?: string };

export const auditKeys = { list: (filter: AuditFilter) => ["audit", filter] as const };

export const listAudit = async (
  filter: AuditFilter,
  after: string | null,
  signal?: AbortSignal,
): Promise<Page<AuditEntry>> =>
  mapPage(await get<Page<AuditWire>>(withQuery("/api/audit", { ...filter, limit: pageSize, after }), signal), toAuditEntry);
