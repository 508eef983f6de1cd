import { useTranslation } from "react-i18next";
import type { Execution } from "../../api/execution";
import { elapsed } from "../../lib/duration";
import { Fact } from "../../ui/Facts";

/** What happens while the job is busy, and how long a run may take. */
export function ExecutionFacts({ of }: { of: Execution }) {
  const { t } = useTranslation();
  const name = t(`execution.blockName.${of.blockStrategy}`);
  return (
    <>
      <Fact name={t("execution.block")}>
        {of.blockStrategy === "CONCURRENT" ? t("execution.atOnce", { name, count: of.concurrency }) : name}
      </Fact>
      {of.blockStrategy === "CONCURRENT" ? null : (
        <Fact name={t("execution.scope")}>{t(`execution.scopeName.${of.blockScope}`)}</Fact>
      )}
      <Fact name={t("execution.timeoutFact")}>
        {of.timeoutSeconds === 0 ? t("execution.noTimeout") : elapsed(of.timeoutSeconds * 1000)}
      </Fact>
    </>
  );
}
