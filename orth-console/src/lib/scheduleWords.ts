import cronstrue from "cronstrue";
import "cronstrue/locales/zh_CN";
import type { TFunction } from "i18next";
import type { Schedule } from "../api/schedules";
import { parseDuration, splitDuration } from "./duration";
import { formatInstant } from "./time";

/** The expression in words. Quartz counts days of the week from Sunday = 1. Null when it cannot be read. */
export function cronWords(cron: string, language: string): string | null {
  // Five fields would be read as the Unix dialect, which means something else.
  if (cron.trim().split(/\s+/).length < 6) {
    return null;
  }
  try {
    return cronstrue.toString(cron, {
      locale: language.startsWith("zh") ? "zh_CN" : "en",
      dayOfWeekStartIndexZero: false,
      use24HourTimeFormat: true,
      throwExceptionOnParseError: true,
    });
  } catch {
    return null;
  }
}

export function scheduleWords(schedule: Schedule, t: TFunction, language: string): string {
  switch (schedule.type) {
    case "NONE":
      return t("schedule.manual");
    case "CRON": {
      const cron = schedule.cron ?? "";
      return cronWords(cron, language) ?? cron;
    }
    case "ONE_SHOT":
      return t("when.once", { at: schedule.at === null ? "" : formatInstant(new Date(schedule.at)) });
    case "FIXED_RATE":
    case "FIXED_DELAY": {
      const seconds = parseDuration(schedule.interval ?? "");
      if (seconds === null) {
        return schedule.interval ?? "";
      }
      const { amount, unit } = splitDuration(seconds);
      return schedule.type === "FIXED_RATE"
        ? t(`schedule.every.${unit}`, { count: amount })
        : t(`when.after.${unit}`, { count: amount });
    }
  }
}
