import { useTranslation } from "react-i18next";
import type { RetryPolicy } from "../api/retry";
import { parseDuration, splitDuration } from "../lib/duration";

/** How long further attempts wait, in words: the same for jobs, queues and stages. */
export function BackoffWords({ policy }: { policy: RetryPolicy }) {
  const { t, i18n } = useTranslation();
  const { format } = new Intl.NumberFormat(i18n.language);
  const share = new Intl.NumberFormat(i18n.language, { style: "percent", maximumFractionDigits: 1 });
  const words = (iso: string): string => {
    const seconds = parseDuration(iso);
    if (seconds === null) {
      return iso;
    }
    const { amount, unit } = splitDuration(seconds);
    return `${format(amount)}\u00A0${t(`queues.unit.${unit}`)}`;
  };
  if (policy.maxAttempts === 1) {
    return t("retry.none");
  }
  const { initialDelay, multiplier, maxDelay, jitter } = policy.backoff;
  const rule = t("retry.rule", { initialDelay: words(initialDelay), multiplier: format(multiplier), maxDelay: words(maxDelay) });
  return jitter === 0 ? rule : t("retry.withJitter", { rule, jitter: share.format(jitter) });
}
