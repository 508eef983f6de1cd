export const viewerZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const formats = new Map<string, Intl.DateTimeFormat>();

function format(zone: string, time: boolean, millis: boolean): Intl.DateTimeFormat {
  const key = `${zone}|${time}|${millis}`;
  const known = formats.get(key);
  if (known !== undefined) {
    return known;
  }
  const made = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    ...(time ? {} : { year: "numeric", month: "2-digit", day: "2-digit" }),
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    ...(millis ? { fractionalSecondDigits: 3 as const } : {}),
  });
  formats.set(key, made);
  return made;
}

/** 2026-11-03 14:05:09, the same in every language, in the given zone. */
export const formatInstant = (at: Date, zone: string = viewerZone()): string => format(zone, false, false).format(at);

/** 2026-11-03 */
export const dayIn = (at: Date, zone: string): string => formatInstant(at, zone).slice(0, 10);

/** 14:05:09 */
export const formatClock = (at: Date, zone: string = viewerZone()): string => format(zone, true, false).format(at);

/** 2026-11-03 14:05:09.120 */
export const formatPrecise = (at: Date, zone: string = viewerZone()): string =>
  format(zone, false, true).format(at).replace(",", ".");

/** With milliseconds and the name of the zone: what is shown on hover. */
export const formatExact = (at: Date, zone: string = viewerZone()): string => `${formatPrecise(at, zone)} ${zone}`;

/** "Europe/Berlin UTC+1" in winter, "Europe/Berlin UTC+2" in summer, "UTC": a zone with its offset at an instant. */
export function zoneLabel(at: Date, zone: string = viewerZone()): string {
  if (zone === "UTC") {
    return zone;
  }
  const parts = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "shortOffset" }).formatToParts(at);
  const offset = parts.find((part) => part.type === "timeZoneName")?.value.replace("GMT", "UTC") ?? "UTC";
  return `${zone} ${offset === "UTC" ? "UTC+0" : offset}`;
}

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** "3 minutes ago", "in 2 hours". */
export function relativeTime(at: Date, now: Date, language: string): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000);
  const [unit, size] = steps.find(([, each]) => Math.abs(seconds) >= each) ?? ["second", 1];
  return new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "narrow" }).format(Math.trunc(seconds / size), unit);
}

const relative = /^-(\d+)([mhd])$/;
const unitMillis: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The start of a range as the URL writes it: `-6h` or an instant. Null when it is neither. */
export function resolveInstant(text: string, now: Date): Date | null {
  const match = relative.exec(text);
  if (match !== null) {
    return new Date(now.getTime() - Number(match[1]) * (unitMillis[match[2] ?? ""] ?? 0));
  }
  const millis = Date.parse(text);
  return Number.isNaN(millis) ? null : new Date(millis);
}

type Range = { from?: string; to?: string };

/** Relative times of the address become instants; what is no time stays, for the server to say so. */
export function resolveRange<F extends Range>(filter: F, now: Date): F {
  const instant = (text: string): string => resolveInstant(text, now)?.toISOString() ?? text;
  const { from, to } = filter;
  return { ...filter, ...(from === undefined ? {} : { from: instant(from) }), ...(to === undefined ? {} : { to: instant(to) }) };
}

export const allZones = (): string[] => ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
