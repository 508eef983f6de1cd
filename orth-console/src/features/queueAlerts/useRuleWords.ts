import { useTranslation } from "react-i18next";
import type { AlertRule } from "../../api/queueAlerts";
import { splitDuration } from "../../lib/duration";

/** Times and conditions of rules in words. */
export function useRuleWords() {
  const { t, i18n } = useTranslation();
  const time = (seconds: number): string => {
    const { amount, unit } = splitDuration(seconds);
    return `${amount} ${t(`queues.unit.${unit}`)}`;
  };
  const count = (value: number): string => new Intl.NumberFormat(i18n.language).format(value);
  const backlog = ({ waiting, oldestSeconds }: AlertRule): string =>
    [
      ...(waiting === null ? [] : [t("queueAlerts.ifWaiting", { messages: count(waiting) })]),
      ...(oldestSeconds === null ? [] : [t("queueAlerts.ifOldest", { time: time(oldestSeconds) })]),
    ].join(t("queueAlerts.or"));
  const failures = ({ ratio, minEnded, overSeconds }: AlertRule): string =>
    t("queueAlerts.ifFailures", {
      percent: new Intl.NumberFormat(i18n.language, { style: "percent", maximumFractionDigits: 2 }).format(ratio ?? 0),
      attempts: count(minEnded ?? 0),
      time: time(overSeconds ?? 0),
    });
  const condition: Record<AlertRule["kind"], (rule: AlertRule) => string> = {
    BACKLOG: backlog,
    FAILURE_RATIO: failures,
    NO_WORKERS: () => t("queueAlerts.ifNobody"),
  };
  return {
    time,
    condition: (rule: AlertRule): string => condition[rule.kind](rule),
    hold: ({ forSeconds }: AlertRule): string => (forSeconds === 0 ? t("queueAlerts.atOnce") : time(forSeconds)),
  };
}
