import { DatePicker, Select } from "antd";
import dayjs from "dayjs";
import { useState } from "react";
import { useTranslation } from "react-i18next";

const lasts = ["15m", "1h", "6h", "24h", "7d"] as const;

type Props = {
  from: string | undefined;
  to: string | undefined;
  onChange: (range: { from: string | undefined; to: string | undefined }) => void;
};

/** A time range: so long back from now (which moves on), or from one instant to another. */
export function RangeFilter({ from, to, onChange }: Props) {
  const { t } = useTranslation();
  const last = lasts.find((each) => from === `-${each}` && to === undefined);
  const isCustom = last === undefined && (from !== undefined || to !== undefined);
  const [picking, setPicking] = useState(isCustom);
  const custom = isCustom || picking;
  const choose = (value: string): void => {
    setPicking(value === "custom");
    if (value !== "custom") {
      onChange({ from: value === "any" ? undefined : `-${value}`, to: undefined });
    }
  };
  return (
    <>
      <Select
        aria-label={t("runs.range")}
        className="filter-select"
        popupMatchSelectWidth={false}
        value={custom ? "custom" : (last ?? "any")}
        onChange={choose}
        options={[
          { value: "any", label: t("runs.anyTime") },
          ...lasts.map((each) => ({ value: each, label: t(`runs.last.${each}`) })),
          { value: "custom", label: t("runs.custom") },
        ]}
      />
      {custom ? (
        <DatePicker.RangePicker
          showTime
          allowEmpty={[true, true]}
          aria-label={t("runs.custom")}
          value={[asDay(from), asDay(to)]}
          onChange={(range) => onChange({ from: range?.[0]?.toISOString(), to: range?.[1]?.toISOString() })}
        />
      ) : null}
    </>
  );
}

const asDay = (text: string | undefined) => (text === undefined || text.startsWith("-") ? null : dayjs(text));
