import { useTranslation } from "react-i18next";
import { failuresOf, type ReportDay, totalOf } from "../../api/reports";

const height = 160;
const slot = 24;
const bar = 18;

/** A bar a day: what failed at the foot, where it is seen however many succeeded. The table below has the numbers. */
export function DayBars({ days }: { days: ReportDay[] }) {
  const { t } = useTranslation();
  const most = Math.max(...days.map(totalOf));
  const pixels = (amount: number): number => (amount === 0 ? 0 : Math.max(1, (amount / most) * height));
  return (
    <figure className="day-bars">
      <figcaption className="muted">
        {days[0]?.day} – {days.at(-1)?.day} · {t("reports.most", { count: most })}
      </figcaption>
      <svg viewBox={`0 0 ${days.length * slot} ${height}`} aria-hidden="true" preserveAspectRatio="none">
        {days.map((day, index) => (
          <g key={day.day}>
            <title>{`${day.day}: ${t("reports.dayWords", { ended: totalOf(day), failed: failuresOf(day) })}`}</title>
            <rect className="bar-room" x={index * slot} y={0} width={slot} height={height} />
            <rect
              className="bar-success"
              x={index * slot + (slot - bar) / 2}
              y={height - pixels(day.success) - pixels(failuresOf(day))}
              width={bar}
              height={pixels(day.success)}
            />
            <rect
              className="bar-failed"
              x={index * slot + (slot - bar) / 2}
              y={height - pixels(failuresOf(day))}
              width={bar}
              height={pixels(failuresOf(day))}
            />
          </g>
        ))}
      </svg>
    </figure>
  );
}
