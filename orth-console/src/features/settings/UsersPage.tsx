import { KeyOutlined, PlusOutlined } from "@ant-design/icons";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Button, Select, Switch, type TableColumnsType, Tooltip } from "antd";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Role, roles } from "../../api/session";
import { changeUser, listUsers, type User, type UserChange, userKeys } from "../../api/users";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { Instant } from "../../ui/Instant";
import { PageHeader } from "../../ui/PageHeader";
import { useReport } from "../../ui/useReport";
import { useSession } from "../auth/session";
import { NewUserDialog, ResetPasswordDialog } from "./UserDialogs";

export default function UsersPage() {
  const { t } = useTranslation();
  const [creating, setCreating] = useState(false);
  const [resetting, setResetting] = useState<User | null>(null);
  const users = useQuery({ queryKey: userKeys.all, queryFn: ({ signal }) => listUsers(signal) });
  const columns = useUserColumns(setResetting);
  return (
    <>
      <PageHeader
        title={t("users.title")}
        actions={
          users.data === undefined ? undefined : (
            <Button type="primary" icon={<PlusOutlined />} onClick={() => setCreating(true)}>
              {t("users.new")}
            </Button>
          )
        }
      />
      <DataTable
        label={t("users.title")}
        columns={columns}
        rowKey={(user) => user.id}
        rows={users.data}
        error={users.error}
        onRetry={() => void users.refetch()}
        empty={<EmptyList filtered={false} title={t("users.empty")} />}
      />
      <NewUserDialog open={creating} onClose={() => setCreating(false)} />
      <ResetPasswordDialog user={resetting} onClose={() => setResetting(null)} />
    </>
  );
}

function useUserColumns(onReset: (user: User) => void): TableColumnsType<User> {
  const { t } = useTranslation();
  return useMemo(
    () => [
      { key: "name", title: t("users.name"), render: (_, user) => <UserName user={user} /> },
      { key: "role", title: t("common.role"), render: (_, user) => <RoleCell user={user} /> },
      { key: "enabled", title: t("users.enabled"), render: (_, user) => <EnabledCell user={user} /> },
      {
        key: "login",
        title: t("users.lastLogin"),
        render: (_, user) =>
          user.lastLoginAt === null ? <span className="muted">{t("common.never")}</span> : <Instant at={user.lastLoginAt} as="relative" />,
      },
      { key: "created", title: t("common.created"), render: (_, user) => <Instant at={user.createdAt} /> },
      {
        key: "actions",
        title: <span className="off-screen">{t("common.actions")}</span>,
        align: "right",
        render: (_, user) => (
          <Button
            type="text"
            size="small"
            icon={<KeyOutlined />}
            aria-label={t("users.resetNamed", { name: user.name })}
            onClick={() => onReset(user)}
          >
            {t("users.resetPassword")}
          </Button>
        ),
      },
    ],
    [t, onReset],
  );
}

function UserName({ user }: { user: User }) {
  const { t } = useTranslation();
  const own = useSession().user === user.name;
  return (
    <>
      <span className="strong">{user.name}</span> {own ? <span className="muted">({t("users.you")})</span> : null}
    </>
  );
}

function useChange(user: User) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  return useMutation({
    mutationFn: (change: UserChange) => changeUser(user.id, change),
    onSuccess: () => report.done(t("users.changed", { name: user.name })),
    onError: report.failed,
    onSettled: () => client.invalidateQueries({ queryKey: userKeys.all }),
  });
}

function RoleCell({ user }: { user: User }) {
  const { t } = useTranslation();
  const change = useChange(user);
  const own = useSession().user === user.name;
  return (
    <Tooltip title={own ? t("users.ownHint") : t(`roleHint.${user.role}`)}>
      <Select<Role>
        size="small"
        className="role-select"
        aria-label={t("users.roleOf", { name: user.name })}
        disabled={own}
        loading={change.isPending}
        value={change.variables?.role !== undefined && change.isPending ? change.variables.role : user.role}
        onChange={(role) => change.mutate({ role })}
        options={roles.map((role) => ({ value: role, label: t(`role.${role}`) }))}
      />
    </Tooltip>
  );
}

function EnabledCell({ user }: { user: User }) {
  const { t } = useTranslation();
  const change = useChange(user);
  const own = useSession().user === user.name;
  return (
    <Tooltip title={own ? t("users.ownHint") : null}>
      <Switch
        size="small"
        checked={user.enabled}
        disabled={own}
        loading={change.isPending}
        aria-label={t(user.enabled ? "users.disable" : "users.enable", { name: user.name })}
        onChange={(enabled) => change.mutate({ enabled })}
      />
    </Tooltip>
  );
}
