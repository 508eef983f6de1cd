import { useTranslation } from "react-i18next";
import { type RunCause, runCauses } from "../../api/runs";

const isKnown = (cause: string): cause is RunCause => (runCauses as readonly string[]).includes(cause);

/** The cause in words; one that a newer server knows stays as it is. */
export function CauseText({ cause }: { cause: string | null }) {
  const { t } = useTranslation();
  if (cause === null) {
    return t("common.none");
  }
  return isKnown(cause) ? t(`cause.${cause}`) : cause;
}
