import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type QueueMinute, queueKeys, readThroughput } from "../../api/queues";
import { pollMillis } from "../../lib/queryClient";

const height = 60;
const slot = 10;
const bar = 8;

const endedOf = ({ done, failed }: QueueMinute): number => done + failed;
const sum = (minutes: QueueMinute[], of: (minute: QueueMinute) => number): number => minutes.reduce((all, minute) => all + of(minute), 0);

/** The attempts that ended in each minute of the last hour: what failed at the foot. Nothing is shown of an hour without any. */
export function Throughput({ queue }: { queue: string }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: queueKeys.throughput(queue),
    queryFn: ({ signal }) => readThroughput(queue, signal),
    refetchInterval: pollMillis.lists,
  });
  const minutes = data ?? [];
  const most = Math.max(0, ...minutes.map(endedOf));
  if (most === 0) {
    return null;
  }
  const pixels = (amount: number): number => (amount === 0 ? 0 : Math.max(1, (amount / most) * height));
  return (
    <figure className="day-bars" aria-label={t("queues.hour")}>
      <figcaption className="muted">
        {t("queues.hourWords", { done: sum(minutes, (minute) => minute.done), failed: sum(minutes, (minute) => minute.failed), most })}
      </figcaption>
      <svg viewBox={`0 0 ${minutes.length * slot} ${height}`} aria-hidden="true" preserveAspectRatio="none">
        {minutes.map((minute, index) => (
          <g key={minute.minute.getTime()}>
            <title>{`${minute.minute.toLocaleTimeString()}: ${t("queues.minuteWords", { done: minute.done, failed: minute.failed })}`}</title>
            <rect className="bar-room" x={index * slot} y={0} width={slot} height={height} />
            <rect
              className="bar-success"
              x={index * slot + (slot - bar) / 2}
              y={height - pixels(minute.done) - pixels(minute.failed)}
              width={bar}
              height={pixels(minute.done)}
            />
            <rect
              className="bar-failed"
              x={index * slot + (slot - bar) / 2}
              y={height - pixels(minute.failed)}
              width={bar}
              height={pixels(minute.failed)}
            />
          </g>
        ))}
      </svg>
    </figure>
  );
}
