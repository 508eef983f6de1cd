export const durationUnits = ["seconds", "minutes", "hours", "days"] as const;
export type DurationUnit = (typeof durationUnits)[number];

const secondsOf: Record<DurationUnit, number> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 };

const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;

/** Seconds of an ISO-8601 duration of days and smaller, as Java writes it; null when it is not one. */
export function parseDuration(text: string): number | null {
  const match = iso.exec(text);
  if (match === null || match.slice(1).every((part) => part === undefined)) {
    return null;
  }
  const [days, hours, minutes, seconds] = match.slice(1).map((part) => Number(part ?? 0));
  return (days ?? 0) * 86_400 + (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0);
}

export const toIsoDuration = (amount: number, unit: DurationUnit): string => {
  const seconds = amount * secondsOf[unit];
  return `PT${Number(seconds.toFixed(3))}S`;
};

/** The largest unit that divides the duration evenly: 7200 s is 2 hours, 90 s stays 90 seconds. */
export function splitDuration(seconds: number): { amount: number; unit: DurationUnit } {
  const unit = durationUnits.toReversed().find((each) => seconds >= secondsOf[each] && seconds % secondsOf[each] === 0);
  return unit === undefined ? { amount: seconds, unit: "seconds" } : { amount: seconds / secondsOf[unit], unit };
}

const two = (value: number): string => String(Math.floor(value)).padStart(2, "0");

/** Elapsed time for reading: 412 ms, 3.4 s, 2 m 05 s, 1 h 04 m, 3 d 02 h. */
export function elapsed(millis: number): string {
  if (millis < 1000) {
    return `${Math.round(millis)} ms`;
  }
  if (millis < 59_950) {
    return `${(millis / 1000).toFixed(1)} s`;
  }
  const seconds = Math.round(millis / 1000);
  if (seconds < 3600) {
    return `${Math.floor(seconds / 60)} m ${two(seconds % 60)} s`;
  }
  if (seconds < 86_400) {
    return `${Math.floor(seconds / 3600)} h ${two((seconds % 3600) / 60)} m`;
  }
  return `${Math.floor(seconds / 86_400)} d ${two((seconds % 86_400) / 3600)} h`;
}
