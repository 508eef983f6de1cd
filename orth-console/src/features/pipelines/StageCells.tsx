import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Stage } from "../../api/pipelines";
import { queuePath } from "../queues/paths";

/** Where the tasks of a stage go. */
export function DestinationCell({ stage }: { stage: Stage }) {
  const { t } = useTranslation();
  if (stage.queue !== null) {
    return (
      <Link className="mono clip" to={queuePath(stage.queue)} title={stage.queue}>
        {stage.queue}
      </Link>
    );
  }
  return (
    <span className="clip">
      {t("stages.webhook")} <span className="mono">{stage.webhook ?? t("common.none")}</span>
    </span>
  );
}

export function ToleranceText({ tolerance }: { tolerance: string }) {
  const { t } = useTranslation();
  return toleranceWords(tolerance, t);
}

/** How much may fail before the run does. */
export function toleranceWords(tolerance: string, t: TFunction): string {
  if (tolerance === "ALL" || tolerance === "0" || tolerance === "0%") {
    return t("stages.tolerance.ALL");
  }
  if (tolerance === "ALWAYS") {
    return t("stages.tolerance.ALWAYS");
  }
  return tolerance.endsWith("%")
    ? t("stages.tolerance.share", { share: tolerance })
    : t("stages.tolerance.some", { count: Number(tolerance) });
}
