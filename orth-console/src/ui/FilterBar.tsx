import { CloseCircleFilled, SearchOutlined } from "@ant-design/icons";
import { Input, Select } from "antd";
import type { ReactNode } from "react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";

export function FilterBar({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <search className="filter-bar" aria-label={t("common.search")}>
      {children}
    </search>
  );
}

type TextProps = { label: string; value: string | undefined; onChange: (value: string | undefined) => void };

/** Writes through after a short rest, so that typing does not ask the server with every key. */
export function TextFilter({ label, value, onChange }: TextProps) {
  const { t } = useTranslation();
  const [text, setText] = useState(value ?? "");
  const written = useRef(value ?? "");
  useEffect(() => {
    if ((value ?? "") !== written.current) {
      written.current = value ?? "";
      setText(value ?? "");
    }
  }, [value]);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text !== written.current) {
        written.current = text;
        onChange(text === "" ? undefined : text);
      }
    }, 250);
    return () => clearTimeout(timer);
  }, [text, onChange]);
  return (
    <Input
      className="filter-text"
      aria-label={label}
      placeholder={label}
      prefix={<SearchOutlined aria-hidden />}
      allowClear={{ clearIcon: <CloseCircleFilled aria-label={t("common.clear")} /> }}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}

type Option = { value: string; label: ReactNode; title?: string };

type SelectProps = TextProps & { options: Option[]; search?: boolean };

export function SelectFilter({ label, value, onChange, options, search }: SelectProps) {
  const shown = value === undefined || options.some((each) => each.value === value) ? options : [...options, { value, label: value }];
  return (
    <Select
      className="filter-select"
      aria-label={label}
      placeholder={label}
      allowClear
      {...(search === true ? { showSearch: { optionFilterProp: "title" } } : {})}
      popupMatchSelectWidth={false}
      value={value ?? null}
      onChange={(next: string | null | undefined) => onChange(next ?? undefined)}
      options={shown}
    />
  );
}

/** Any of several; in the address they have commas between. */
export function MultiSelectFilter({ label, value, onChange, options }: TextProps & { options: Option[] }) {
  const chosen = value === undefined ? [] : value.split(",");
  const unknown = chosen.filter((each) => options.every((option) => option.value !== each));
  return (
    <Select
      className="filter-select filter-multiple"
      mode="multiple"
      aria-label={label}
      placeholder={label}
      allowClear
      showSearch={false}
      maxTagCount={3}
      popupMatchSelectWidth={false}
      value={chosen}
      onChange={(next: string[]) => onChange(next.length === 0 ? undefined : next.join(","))}
      options={[...options, ...unknown.map((each) => ({ value: each, label: each }))]}
    />
  );
}
