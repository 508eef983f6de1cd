import { ApiOutlined, DeleteOutlined, EditOutlined } from "@ant-design/icons";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Button, Tag, Tooltip } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Executor } from "../../api/executors";
import { deleteGroup, type Group, groupKeys } from "../../api/groups";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { useConfirm } from "../../ui/useConfirm";
import { useReport } from "../../ui/useReport";
import { useMay } from "../auth/session";
import { ConnectDrawer } from "./ConnectDrawer";
import { useExecutorColumns } from "./executorColumns";
import { RenameDialog } from "./GroupDialogs";

type Props = { group: Group; executors: Executor[] };

/** A group and the executors that belong to it. */
export function GroupSection({ group, executors }: Props) {
  const { t } = useTranslation();
  const administers = useMay("administer");
  const columns = useExecutorColumns();
  const online = executors.filter((each) => each.status === "ONLINE").length;
  return (
    <article className="group-section" aria-label={group.name}>
      <div className="section-header">
        <h2>{group.title === "" ? group.name : group.title}</h2>
        {group.title === "" || group.title === group.name ? null : <span className="mono muted">{group.name}</span>}
        <Tag color={online > 0 ? "success" : "default"}>{t("executors.online", { count: online })}</Tag>
        <span className="grow" />
        {administers ? <GroupActions group={group} /> : null}
      </div>
      <DataTable
        label={group.name}
        columns={columns}
        rowKey={(executor) => executor.instanceId}
        rows={executors}
        error={null}
        onRetry={() => undefined}
        empty={<EmptyList filtered={false} title={t("executors.noInstances")} />}
      />
    </article>
  );
}

function GroupActions({ group }: { group: Group }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  const confirm = useConfirm();
  const [dialog, setDialog] = useState<"rename" | "connect" | null>(null);
  const { name } = group;
  const remove = useMutation({
    mutationFn: () => deleteGroup(group.id),
    onSuccess: () => {
      report.done(t("executors.deleted", { name }));
      return client.invalidateQueries({ queryKey: groupKeys.all });
    },
    onError: report.failed,
  });
  const confirmDelete = (): void =>
    confirm({
      title: t("executors.deleteTitle", { name }),
      hint: t("executors.deleteHint"),
      ok: t("common.delete"),
      act: () => remove.mutateAsync(),
    });
  return (
    <div className="row-actions">
      <Button size="small" icon={<ApiOutlined />} onClick={() => setDialog("connect")}>
        {t("executors.howToConnect")}
      </Button>
      <Tooltip title={t("common.edit")}>
        <Button
          type="text"
          size="small"
          icon={<EditOutlined />}
          aria-label={t("executors.rename", { name })}
          onClick={() => setDialog("rename")}
        />
      </Tooltip>
      <Tooltip title={t("common.delete")}>
        <Button
          type="text"
          size="small"
          danger
          icon={<DeleteOutlined />}
          aria-label={t("executors.deleteNamed", { name })}
          onClick={confirmDelete}
        />
      </Tooltip>
      <RenameDialog group={group} open={dialog === "rename"} onClose={() => setDialog(null)} />
      <ConnectDrawer group={group} open={dialog === "connect"} onClose={() => setDialog(null)} />
    </div>
  );
}
