import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { groupKeys, groupLabel, listGroups } from "../api/groups";
import { SelectFilter } from "./FilterBar";

export const useGroups = () =>
  useQuery({ queryKey: groupKeys.all, queryFn: ({ signal }) => listGroups(signal), staleTime: 30_000 });

type Props = { value: string | undefined; onChange: (groupId: string | undefined) => void };

export function GroupFilter({ value, onChange }: Props) {
  const { t } = useTranslation();
  const groups = useGroups();
  const options = (groups.data ?? []).map((group) => {
    const label = groupLabel(group);
    return { value: group.id, label, title: label };
  });
  return <SelectFilter label={t("jobs.group")} value={value} onChange={onChange} options={options} search />;
}
