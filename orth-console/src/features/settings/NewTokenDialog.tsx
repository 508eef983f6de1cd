import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Button, Form, Input, Modal, Select } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Role } from "../../api/session";
import { createToken, tokenKeys } from "../../api/tokens";
import { FormDialog } from "../../ui/FormDialog";
import { Secret } from "../../ui/Secret";
import { useSession } from "../auth/session";
import { RoleItem } from "./RoleItem";

const lifetimes = { never: null, d30: 30, d90: 90, d365: 365 } as const;
type Lifetime = keyof typeof lifetimes;

type Fields = { name: string; role: Role; expiresAt: Lifetime };

const expiryOf = (lifetime: Lifetime, now: Date): { expiresAt?: string } => {
  const days = lifetimes[lifetime];
  return days === null ? {} : { expiresAt: new Date(now.getTime() + days * 86_400_000).toISOString() };
};

/** Creates a token, then shows its secret this one time. */
export function NewTokenDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { role } = useSession();
  const [created, setCreated] = useState<{ name: string; secret: string } | null>(null);
  const create = useMutation({
    mutationFn: async ({ name, role: tokenRole, expiresAt }: Fields) => ({
      name,
      secret: await createToken({ name: name.trim(), role: tokenRole, ...expiryOf(expiresAt, new Date()) }),
    }),
    onSuccess: (result) => {
      setCreated(result);
      return client.invalidateQueries({ queryKey: tokenKeys.all });
    },
  });
  return (
    <>
      <FormDialog<Fields>
        open={open}
        title={t("tokens.new")}
        okText={t("common.create")}
        initial={{ role: "VIEWER", expiresAt: "d90" }}
        fields={["name", "role", "expiresAt"]}
        busy={create.isPending}
        onSubmit={create.mutateAsync}
        onClose={onClose}
      >
        <Form.Item
          name="name"
          label={t("tokens.name")}
          extra={t("tokens.nameHint")}
          rules={[{ required: true, whitespace: true, message: t("common.required") }]}
        >
          <Input autoComplete="off" maxLength={100} />
        </Form.Item>
        <RoleItem upTo={role} />
        <Form.Item name="expiresAt" label={t("tokens.expires")}>
          <Select
            options={(Object.keys(lifetimes) as Lifetime[]).map((each) => ({ value: each, label: t(`tokens.expiry.${each}`) }))}
          />
        </Form.Item>
      </FormDialog>
      <Modal
        open={created !== null}
        title={t("tokens.createdTitle", { name: created?.name ?? "" })}
        closable={false}
        mask={{ closable: false }}
        footer={<Button onClick={() => setCreated(null)}>{t("common.close")}</Button>}
      >
        <p>{t("common.shownOnce")}</p>
        <Secret value={created?.secret ?? ""} label={t("tokens.title")} />
      </Modal>
    </>
  );
}
