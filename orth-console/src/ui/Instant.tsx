import { Tooltip } from "antd";
import { useTranslation } from "react-i18next";
import { formatExact, formatInstant, formatPrecise, relativeTime } from "../lib/time";
import { useNow } from "../lib/useNow";

const forms = {
  relative: (at: Date) => <Relative at={at} />,
  full: (at: Date) => formatInstant(at),
  precise: (at: Date) => formatPrecise(at),
};

type Props = {
  at: Date | null;
  /** `relative` reads "3m ago", `full` is date and time, `precise` has milliseconds too. */
  as?: keyof typeof forms;
};

/** A time in the viewer's zone; the exact instant with its zone shows on hover and on focus. */
export function Instant({ at, as = "full" }: Props) {
  const { t } = useTranslation();
  if (at === null) {
    return <span className="muted">{t("common.none")}</span>;
  }
  return (
    <Tooltip title={<ExactTimes at={at} />}>
      <time dateTime={at.toISOString()} className="tabular">
        {forms[as](at)}
      </time>
    </Tooltip>
  );
}

function Relative({ at }: { at: Date }) {
  const now = useNow();
  const { i18n } = useTranslation();
  return relativeTime(at, now, i18n.language);
}

function ExactTimes({ at }: { at: Date }) {
  return (
    <span className="tabular">
      {formatExact(at)}
      <br />
      {at.toISOString()}
    </span>
  );
}
