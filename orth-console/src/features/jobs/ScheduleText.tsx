import { useTranslation } from "react-i18next";
import type { Schedule } from "../../api/schedules";
import { scheduleWords } from "../../lib/scheduleWords";
import { formatInstant } from "../../lib/time";

/** The schedule in words; for cron also the expression and its zone. */
export function ScheduleText({ schedule }: { schedule: Schedule }) {
  const { t, i18n } = useTranslation();
  return (
    <div className="schedule-text">
      <div>{scheduleWords(schedule, t, i18n.language)}</div>
      {schedule.type === "CRON" ? (
        <div className="mono muted small">
          {schedule.cron} · {schedule.zone}
        </div>
      ) : null}
      {schedule.start === null && schedule.end === null ? null : (
        <div className="muted small">
          {schedule.start === null ? null : t("when.from", { at: formatInstant(new Date(schedule.start)) })}{" "}
          {schedule.end === null ? null : t("when.until", { at: formatInstant(new Date(schedule.end)) })}
        </div>
      )}
    </div>
  );
}
