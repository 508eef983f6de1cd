import { useTranslation } from "react-i18next";
import type { Queue } from "../../api/queues";
import { BackoffWords } from "../../ui/BackoffWords";
import { Fact, Facts } from "../../ui/Facts";
import { Instant } from "../../ui/Instant";
import { Average, DeadCount, OldestAge, WorkerCount } from "./queueColumns";

/** How a queue does, and how it is set up. */
export function QueueFacts({ queue }: { queue: Queue }) {
  const { t, i18n } = useTranslation();
  const { format } = new Intl.NumberFormat(i18n.language);
  const { lately } = queue;
  return (
    <>
      <Facts>
        <Fact name={t("messageStatus.WAITING")}>
          <span className="figure">{format(queue.waiting)}</span>
        </Fact>
        <Fact name={t("messageStatus.RUNNING")}>
          <span className="figure">{format(queue.running)}</span>
        </Fact>
        <Fact name={t("messageStatus.DEAD")}>
          <span className="figure">
            <DeadCount queue={queue} format={format} />
          </span>
        </Fact>
        <Fact name={t("queues.oldest")}>
          <span className="figure">
            <OldestAge queue={queue} />
          </span>
        </Fact>
        <Fact name={t("queues.workers")}>
          <span className="figure">
            <WorkerCount queue={queue} format={format} />
          </span>
        </Fact>
        <Fact name={t("queues.lastMinutes", { count: Math.round(lately.seconds / 60) })}>
          {t("queues.throughput", { pushed: format(lately.pushed), done: format(lately.done), failed: format(lately.failed) })}
        </Fact>
        <Fact name={t("queues.waitTime")}>
          <Average millis={lately.waitMillis} />
        </Fact>
        <Fact name={t("queues.runTime")}>
          <Average millis={lately.runMillis} />
        </Fact>
      </Facts>
      <Setup queue={queue} />
    </>
  );
}

function Setup({ queue }: { queue: Queue }) {
  const { t, i18n } = useTranslation();
  const { format } = new Intl.NumberFormat(i18n.language);
  const limit = (value: number | null): string => (value === null ? t("queueForm.noLimit") : format(value));
  return (
    <Facts>
      <Fact name={t("queues.group")}>{queue.groupName ?? t("queueForm.anyGroup")}</Fact>
      <Fact name={t("retry.maxAttempts")}>{format(queue.maxAttempts)}</Fact>
      <Fact name={t("retry.backoff")}>
        <BackoffWords policy={queue} />
      </Fact>
      <Fact name={t("queueForm.rate")}>{limit(queue.rateLimit)}</Fact>
      <Fact name={t("queueForm.concurrency")}>{limit(queue.concurrencyLimit)}</Fact>
      <Fact name={t("queues.nextDue")}>
        <Instant at={queue.nextDue} />
      </Fact>
      <Fact name={t("common.created")}>
        <Instant at={queue.createdAt} />
      </Fact>
    </Facts>
  );
}
