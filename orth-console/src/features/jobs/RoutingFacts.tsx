import { useTranslation } from "react-i18next";
import type { Routing, RouteStrategy, Shard } from "../../api/routing";
import { Fact } from "../../ui/Facts";

/** Which executors the runs of a job go to. */
export function RoutingFacts({ of }: { of: Routing }) {
  const { t } = useTranslation();
  return (
    <>
      <Fact name={t("routing.strategy")}>{t(`routing.name.${of.routing}`)}</Fact>
      {of.addresses.length === 0 ? null : (
        <Fact name={t("routing.addresses")}>
          <span className="mono">{of.addresses.join(", ")}</span>
        </Fact>
      )}
    </>
  );
}

/** How the executor of a run was chosen, and which part of a broadcast it is. */
export function RouteFacts({ of }: { of: Shard & { routing: RouteStrategy } }) {
  const { t } = useTranslation();
  return (
    <>
      <Fact name={t("routing.strategy")}>{t(`routing.name.${of.routing}`)}</Fact>
      {of.routing === "SHARDING_BROADCAST" ? (
        <Fact name={t("routing.shard")}>{t("routing.shardOf", { index: of.shardIndex, total: of.shardTotal })}</Fact>
      ) : null}
    </>
  );
}
