import { DeleteOutlined, RedoOutlined } from "@ant-design/icons";
import { Button, Checkbox, Form, Input } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { canDiscard, canRetry, type Message } from "../../api/messages";
import { FormDialog } from "../../ui/FormDialog";
import { useConfirm } from "../../ui/useConfirm";
import { useDiscardMessage, useRetryMessage } from "./useQueueActions";

/** What can be done about a message where it stands; nothing while it runs and after its end. */
export function MessageActions({ message }: { message: Message }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const [open, setOpen] = useState(false);
  const discard = useDiscardMessage(message);
  const confirmDiscard = (): void =>
    confirm({
      title: t("messages.discardOne", { id: message.id }),
      hint: t("messages.discardHint"),
      ok: t("messages.discard"),
      act: () => discard.mutateAsync(),
    });
  return (
    <>
      {canRetry(message.status) ? (
        <Button type="primary" icon={<RedoOutlined />} onClick={() => setOpen(true)}>
          {t("messages.retry")}
        </Button>
      ) : null}
      {canDiscard(message.status) ? (
        <Button danger icon={<DeleteOutlined />} onClick={confirmDiscard}>
          {t("messages.discard")}
        </Button>
      ) : null}
      <RetryDialog message={message} open={open} onClose={() => setOpen(false)} />
    </>
  );
}

type Fields = { edit: boolean; payload: string };

function RetryDialog({ message, open, onClose }: { message: Message; open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const retry = useRetryMessage(message);
  return (
    <FormDialog<Fields>
      open={open}
      title={t("messages.retryOne", { id: message.id })}
      okText={t("messages.retry")}
      width={640}
      initial={{ edit: false, payload: message.payload }}
      fields={["payload"]}
      busy={retry.isPending}
      onSubmit={({ edit, payload }) => retry.mutateAsync(edit ? payload : null)}
      onClose={onClose}
    >
      <p>{t("messages.retryHint")}</p>
      <Form.Item name="edit" valuePropName="checked">
        <Checkbox>{t("messages.editPayload")}</Checkbox>
      </Form.Item>
      <PayloadItem />
    </FormDialog>
  );
}

/** Stays what it was unless somebody says otherwise. */
function PayloadItem() {
  const { t } = useTranslation();
  const edit = Form.useWatch<boolean | undefined>("edit") ?? false;
  return (
    <Form.Item name="payload" label={t("messages.payload")}>
      <Input.TextArea className="mono" readOnly={!edit} autoSize={{ minRows: 3, maxRows: 16 }} spellCheck={false} />
    </Form.Item>
  );
}
