import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Form, Input } from "antd";
import { useTranslation } from "react-i18next";
import { changeUser, createUser, type NewUser, type User, userKeys } from "../../api/users";
import { FormDialog } from "../../ui/FormDialog";
import { useReport } from "../../ui/useReport";
import { RoleItem } from "./RoleItem";

export function NewUserDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  const create = useMutation({
    mutationFn: ({ name, password, role }: NewUser) => createUser({ name: name.trim(), password, role }),
    onSuccess: (_, { name }) => {
      report.done(t("users.created", { name }));
      return client.invalidateQueries({ queryKey: userKeys.all });
    },
  });
  const required = { required: true, whitespace: true, message: t("common.required") };
  return (
    <FormDialog<NewUser>
      open={open}
      title={t("users.new")}
      okText={t("common.create")}
      initial={{ role: "VIEWER" }}
      fields={["name", "password", "role"]}
      busy={create.isPending}
      onSubmit={create.mutateAsync}
      onClose={onClose}
    >
      <Form.Item name="name" label={t("users.name")} rules={[required]}>
        <Input autoComplete="off" spellCheck={false} maxLength={64} />
      </Form.Item>
      <Form.Item name="password" label={t("users.password")} rules={[required]}>
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <RoleItem />
    </FormDialog>
  );
}

export function ResetPasswordDialog({ user, onClose }: { user: User | null; onClose: () => void }) {
  const { t } = useTranslation();
  const report = useReport();
  const name = user?.name ?? "";
  const reset = useMutation({
    mutationFn: ({ password }: { password: string }) => changeUser(user?.id ?? "", { password }),
    onSuccess: () => report.done(t("users.resetDone", { name })),
  });
  return (
    <FormDialog<{ password: string }>
      open={user !== null}
      title={t("users.resetTitle", { name })}
      fields={["password"]}
      busy={reset.isPending}
      onSubmit={reset.mutateAsync}
      onClose={onClose}
    >
      <Form.Item name="password" label={t("auth.next")} rules={[{ required: true, message: t("common.required") }]}>
        <Input.Password autoComplete="new-password" />
      </Form.Item>
    </FormDialog>
  );
}
