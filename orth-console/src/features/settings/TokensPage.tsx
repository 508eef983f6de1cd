import { PlusOutlined } from "@ant-design/icons";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Button, type TableColumnsType, Tag } from "antd";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type ApiToken, listTokens, revokeToken, tokenKeys } from "../../api/tokens";
import { useNow } from "../../lib/useNow";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { Instant } from "../../ui/Instant";
import { PageHeader } from "../../ui/PageHeader";
import { useConfirm } from "../../ui/useConfirm";
import { useReport } from "../../ui/useReport";
import { NewTokenDialog } from "./NewTokenDialog";

export default function TokensPage() {
  const { t } = useTranslation();
  const [creating, setCreating] = useState(false);
  const tokens = useQuery({ queryKey: tokenKeys.all, queryFn: ({ signal }) => listTokens(signal) });
  const columns = useTokenColumns();
  const newButton = (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setCreating(true)}>
      {t("tokens.new")}
    </Button>
  );
  return (
    <>
      <PageHeader title={t("tokens.title")} actions={tokens.data === undefined ? undefined : newButton} />
      <p className="muted">
        {t("tokens.hint")} <code>Authorization: Bearer …</code>
      </p>
      <DataTable
        label={t("tokens.title")}
        columns={columns}
        rowKey={(token) => token.id}
        rows={tokens.data}
        error={tokens.error}
        onRetry={() => void tokens.refetch()}
        empty={<EmptyList filtered={false} title={t("tokens.empty")} hint={t("tokens.emptyHint")} />}
      />
      <NewTokenDialog open={creating} onClose={() => setCreating(false)} />
    </>
  );
}

function useTokenColumns(): TableColumnsType<ApiToken> {
  const { t } = useTranslation();
  return useMemo(
    () => [
      { key: "name", title: t("tokens.name"), render: (_, token) => <span className="strong">{token.name}</span> },
      { key: "role", title: t("common.role"), render: (_, token) => t(`role.${token.role}`) },
      { key: "by", title: t("tokens.createdBy"), render: (_, token) => token.createdBy },
      { key: "created", title: t("common.created"), render: (_, token) => <Instant at={token.createdAt} /> },
      { key: "expires", title: t("tokens.expires"), render: (_, token) => <Expiry token={token} /> },
      {
        key: "used",
        title: t("tokens.lastUsed"),
        render: (_, token) =>
          token.lastUsedAt === null ? <span className="muted">{t("common.never")}</span> : <Instant at={token.lastUsedAt} as="relative" />,
      },
      {
        key: "actions",
        title: <span className="off-screen">{t("common.actions")}</span>,
        align: "right",
        render: (_, token) => <RevokeButton token={token} />,
      },
    ],
    [t],
  );
}

function Expiry({ token }: { token: ApiToken }) {
  const { t } = useTranslation();
  const now = useNow();
  if (token.expiresAt === null) {
    return <span className="muted">{t("tokens.expiresNever")}</span>;
  }
  return (
    <>
      <Instant at={token.expiresAt} /> {token.expiresAt < now ? <Tag color="error">{t("tokens.expired")}</Tag> : null}
    </>
  );
}

function RevokeButton({ token }: { token: ApiToken }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  const confirm = useConfirm();
  const { name } = token;
  const revoke = useMutation({
    mutationFn: () => revokeToken(token.id),
    onSuccess: () => {
      report.done(t("tokens.revoked", { name }));
      return client.invalidateQueries({ queryKey: tokenKeys.all });
    },
    onError: report.failed,
  });
  const ask = (): void =>
    confirm({
      title: t("tokens.revokeTitle", { name }),
      hint: t("tokens.revokeHint"),
      ok: t("tokens.revoke"),
      act: () => revoke.mutateAsync(),
    });
  return (
    <Button type="text" size="small" danger aria-label={t("tokens.revokeNamed", { name })} onClick={ask}>
      {t("tokens.revoke")}
    </Button>
  );
}
