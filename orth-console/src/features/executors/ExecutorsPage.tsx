import { PlusOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Button, Checkbox } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { executorKeys, listExecutors } from "../../api/executors";
import { groupLabel } from "../../api/groups";
import { pollMillis } from "../../lib/queryClient";
import { useUrlFilter } from "../../lib/useUrlFilter";
import { EmptyList, ListSkeleton } from "../../ui/DataTable";
import { ErrorPanel } from "../../ui/ErrorPanel";
import { FilterBar, TextFilter } from "../../ui/FilterBar";
import { useGroups } from "../../ui/GroupFilter";
import { PageHeader } from "../../ui/PageHeader";
import { useMay } from "../auth/session";
import { GroupSection } from "./GroupSection";
import { NewGroupDialog } from "./GroupDialogs";
import { RejectedRegistrations } from "./RejectedRegistrations";

export default function ExecutorsPage() {
  const { t } = useTranslation();
  const administers = useMay("administer");
  const filter = useUrlFilter(["name", "gone"] as const);
  const [creating, setCreating] = useState(false);
  const groups = useGroups();
  const gone = filter.values.gone === "true";
  const wanted = (filter.values.name ?? "").toLowerCase();
  const executors = useQuery({
    queryKey: executorKeys.list(gone),
    queryFn: ({ signal }) => listExecutors(gone, signal),
    refetchInterval: pollMillis.lists,
  });
  const error = groups.error ?? executors.error;
  const newButton = administers ? (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setCreating(true)}>
      {t("executors.newGroup")}
    </Button>
  ) : undefined;
  const body = () => {
    if (groups.data === undefined || executors.data === undefined) {
      return error === null ? <ListSkeleton /> : <ErrorPanel error={error} onRetry={() => void groups.refetch()} />;
    }
    const shown = groups.data.filter((group) => groupLabel(group).toLowerCase().includes(wanted));
    if (shown.length === 0) {
      return (
        <EmptyList
          filtered={!filter.isEmpty}
          onClear={filter.clear}
          title={t("executors.empty")}
          hint={t("executors.emptyHint")}
          action={newButton}
        />
      );
    }
    const { data } = executors;
    return shown.map((group) => (
      <GroupSection key={group.id} group={group} executors={data.filter((each) => each.groupId === group.id)} />
    ));
  };
  return (
    <>
      <PageHeader title={t("executors.title")} actions={newButton} />
      <FilterBar>
        <TextFilter label={t("executors.search")} value={filter.values.name} onChange={(name) => filter.set({ name })} />
        <Checkbox checked={gone} onChange={({ target }) => filter.set({ gone: target.checked ? "true" : undefined })}>
          {t("executors.withGone")}
        </Checkbox>
      </FilterBar>
      {body()}
      <RejectedRegistrations />
      <NewGroupDialog open={creating} onClose={() => setCreating(false)} />
    </>
  );
}
