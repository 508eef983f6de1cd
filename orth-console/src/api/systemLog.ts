import { get, withQuery } from "./http";
import { mapPage, type Page, pageSize } from "./page";

export const logLevels = ["INFO", "WARN", "ERROR"] as const;
export type LogLevel = (typeof logLevels)[number];

export type LogLineWire = {
  id: string;
  at: string;
  level: LogLevel;
  message: string;
  workerId: string | null;
  queue: string | null;
  node: string;
};

/** A line of the system log. */
export type LogLine = Omit<LogLineWire, "at"> & { at: Date };

export const toLogLine = (wire: LogLineWire): LogLine => ({ ...wire, at: new Date(wire.at) });

export type LogFilter = { level?: string; worker_id?: string; queue?: string; message?: string; from?: string; to?: string };

export const systemLogKeys = { archive: (filter: LogFilter) => ["systemLog", "archive", filter] as const };

/** A page may be short, or empty, and yet have a next one: so much is searched at a time. */
export const searchLog = async (filter: LogFilter, after: string | null, signal?: AbortSignal): Promise<Page<LogLine>> =>
  mapPage(await get<Page<LogLineWire>>(withQuery("/api/logs/archive", { ...filter, limit: pageSize, after }), signal), toLogLine);
