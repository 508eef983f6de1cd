import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { reachable } from "../api/connection";
import { outdatedSince } from "../lib/freshness";
import { useStore } from "../lib/store";
import { formatClock } from "../lib/time";
import { useNow } from "../lib/useNow";

/** Says whether what is on the page is current, and if not, from when it is. Its age decides, whatever became of the last call. */
export function Freshness() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const answers = useStore(reachable);
  const since = outdatedSince(client.getQueryCache().findAll({ type: "active" }), useNow());
  const why = answers ? t("app.outdated") : t("app.reconnecting");
  return (
    <output className="freshness" data-live={since === null}>
      <span className="freshness-dot" aria-hidden="true" />
      {since === null ? t("app.live") : `${why} · ${t("app.dataFrom", { time: formatClock(since) })}`}
    </output>
  );
}
