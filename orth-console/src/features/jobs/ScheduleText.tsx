import { useTranslation } from "react-i18next";
import type { Schedule } from "../../api/schedules";
import { scheduleWords } from "../../lib/scheduleWords";

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
    </div>
  );
}
