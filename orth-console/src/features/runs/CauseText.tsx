import { useTranslation } from "react-i18next";
import { type RunCause, runCauses } from "../../api/runs";
import { type OtherCause, otherCauses } from "../../api/transitions";

const isOther = (cause: string): cause is OtherCause => (otherCauses as readonly string[]).includes(cause);
const isKnown = (cause: string): cause is RunCause => (runCauses as readonly string[]).includes(cause);

/** The cause in words; one that a newer server knows stays as it is. */
export function CauseText({ cause }: { cause: string | null }) {
  const { t } = useTranslation();
  if (cause === null) {
    return t("common.none");
  }
  if (isKnown(cause)) {
    return t(`cause.${cause}`);
  }
  return isOther(cause) ? t(`stateCause.${cause}`) : cause;
}
