import { ClearOutlined } from "@ant-design/icons";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Button, Form, Input } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Operation, operationKeys, purgeQueue } from "../../api/operations";
import type { Queue } from "../../api/queues";
import { FormDialog } from "../../ui/FormDialog";
import { StartedDialog } from "../operations/StartedDialog";

/** Discards all that waits in a queue, for those who type its name. */
export function PurgeButton({ queue }: { queue: Queue }) {
  const { t } = useTranslation();
  const { name, waiting } = queue;
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const [started, setStarted] = useState<Operation | null>(null);
  const purge = useMutation({
    mutationFn: (confirm: string) => purgeQueue(name, confirm),
    onSuccess: (operation) => {
      client.setQueryData(operationKeys.one(operation.id), operation);
      setStarted(operation);
    },
  });
  return (
    <>
      <Button danger icon={<ClearOutlined />} aria-label={t("purge.named", { name })} onClick={() => setOpen(true)}>
        {t("purge.word")}
      </Button>
      <FormDialog<{ confirm: string }>
        open={open}
        title={t("purge.title", { name })}
        okText={t("purge.word")}
        danger
        fields={["confirm"]}
        busy={purge.isPending}
        onSubmit={({ confirm }) => purge.mutateAsync(confirm.trim())}
        onClose={() => setOpen(false)}
      >
        <p className="strong">{waiting === 0 ? t("purge.nothing") : t("purge.waiting", { count: waiting })}</p>
        <p>{t("purge.hint")}</p>
        <Form.Item
          name="confirm"
          label={t("purge.confirm", { name })}
          rules={[{ validator: (_, typed?: string) => (typed?.trim() === name ? Promise.resolve() : Promise.reject(new Error(t("purge.mismatch")))) }]}
          validateTrigger="onSubmit"
        >
          <Input className="mono" autoFocus spellCheck={false} autoComplete="off" />
        </Form.Item>
      </FormDialog>
      {started === null ? null : <StartedDialog operation={started} onClose={() => setStarted(null)} />}
    </>
  );
}
