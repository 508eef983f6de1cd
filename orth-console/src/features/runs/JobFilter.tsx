import { useQuery } from "@tanstack/react-query";
import { Select } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { jobKeys, listJobs, readJob } from "../../api/jobs";
import { useDebounced } from "../../lib/useDebounced";

type Props = { value: string | undefined; onChange: (jobId: string | undefined) => void };

/** Finds a job by name on the server: there may be more of them than a list can hold. */
export function JobFilter({ value, onChange }: Props) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const q = useDebounced(text, 250);
  const filter = q === "" ? {} : { q };
  const found = useQuery({
    queryKey: [...jobKeys.list(filter), "options"],
    queryFn: ({ signal }) => listJobs(filter, null, signal),
  });
  const chosen = useQuery({
    queryKey: jobKeys.one(value ?? ""),
    queryFn: ({ signal }) => readJob(value ?? "", signal),
    enabled: value !== undefined,
  });
  const options = (found.data?.items ?? []).map((job) => ({ value: job.id, label: job.name }));
  if (value !== undefined && !options.some((option) => option.value === value)) {
    options.unshift({ value, label: chosen.data?.name ?? `#${value}` });
  }
  return (
    <Select
      className="filter-select"
      aria-label={t("runs.job")}
      placeholder={t("runs.job")}
      allowClear
      showSearch={{ filterOption: false, onSearch: setText }}
      popupMatchSelectWidth={false}
      loading={found.isFetching}
      value={value ?? null}
      onChange={(next: string | null | undefined) => onChange(next ?? undefined)}
      options={options}
    />
  );
}
