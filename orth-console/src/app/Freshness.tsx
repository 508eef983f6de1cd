import { useTranslation } from "react-i18next";
import { connection } from "../api/connection";
import { useStore } from "../lib/store";
import { formatClock } from "../lib/time";

/** Says whether what is on the page is current, and if not, from when it is. */
export function Freshness() {
  const { t } = useTranslation();
  const { live, lastAnswerAt } = useStore(connection);
  const since = lastAnswerAt === null ? "" : ` · ${t("app.dataFrom", { time: formatClock(lastAnswerAt) })}`;
  return (
    <output className="freshness" data-live={live}>
      <span className="freshness-dot" aria-hidden="true" />
      {live ? t("app.live") : `${t("app.reconnecting")}${since}`}
    </output>
  );
}
