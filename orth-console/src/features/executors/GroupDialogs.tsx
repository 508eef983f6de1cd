import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Form, Input } from "antd";
import { useTranslation } from "react-i18next";
import { createGroup, type Group, groupKeys, renameGroup } from "../../api/groups";
import { FormDialog } from "../../ui/FormDialog";
import { useReport } from "../../ui/useReport";

type Props = { open: boolean; onClose: () => void };

type Fields = { name: string; title?: string };

export function NewGroupDialog({ open, onClose }: Props) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  const create = useMutation({
    mutationFn: ({ name, title }: Fields) => createGroup(name.trim(), title ?? ""),
    onSuccess: (group) => {
      report.done(t("executors.created", { name: group.name }));
      return client.invalidateQueries({ queryKey: groupKeys.all });
    },
  });
  return (
    <FormDialog<Fields>
      open={open}
      title={t("executors.newGroup")}
      okText={t("common.create")}
      fields={["name", "title"]}
      busy={create.isPending}
      onSubmit={create.mutateAsync}
      onClose={onClose}
    >
      <Form.Item
        name="name"
        label={t("executors.name")}
        extra={t("executors.nameHint")}
        rules={[{ required: true, whitespace: true, message: t("common.required") }]}
      >
        <Input className="mono" spellCheck={false} autoComplete="off" maxLength={64} />
      </Form.Item>
      <TitleItem />
    </FormDialog>
  );
}

export function RenameDialog({ group, open, onClose }: Props & { group: Group }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  const rename = useMutation({
    mutationFn: ({ title }: { title?: string }) => renameGroup(group.id, title ?? ""),
    onSuccess: () => {
      report.done(t("executors.renamed"));
      return client.invalidateQueries({ queryKey: groupKeys.all });
    },
  });
  return (
    <FormDialog<{ title?: string }>
      open={open}
      title={t("executors.rename", { name: group.name })}
      initial={{ title: group.title }}
      fields={["title"]}
      busy={rename.isPending}
      onSubmit={rename.mutateAsync}
      onClose={onClose}
    >
      <TitleItem />
    </FormDialog>
  );
}

function TitleItem() {
  const { t } = useTranslation();
  return (
    <Form.Item name="title" label={t("executors.groupTitle")}>
      <Input autoComplete="off" maxLength={200} />
    </Form.Item>
  );
}
