import { DeleteOutlined, RedoOutlined, StopOutlined } from "@ant-design/icons";
import { Button, Checkbox, Form, Input } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { canDiscard, canKill, canRetry, type Message } from "../../api/messages";
import { FormDialog } from "../../ui/FormDialog";
import { useConfirm } from "../../ui/useConfirm";
import { useDiscardMessage, useKillMessage, useRetryMessage } from "./useQueueActions";

/** What can be done about a message where it stands; nothing after its end. */
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
      {canKill(message.status) ? <KillMessage message={message} /> : null}
      <RetryDialog message={message} open={open} onClose={() => setOpen(false)} />
    </>
  );
}

function KillMessage({ message }: { message: Message }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const kill = useKillMessage(message);
  return (
    <>
      <Button danger icon={<StopOutlined />} onClick={() => setOpen(true)}>
        {t("kill.run")}
      </Button>
      <FormDialog<{ reason: string }>
        open={open}
        title={t("messages.killOne", { id: message.id })}
        okText={t("kill.run")}
        danger
        initial={{ reason: "" }}
        fields={["reason"]}
        busy={kill.isPending}
        onSubmit={({ reason }) => kill.mutateAsync(reason)}
        onClose={() => setOpen(false)}
      >
        <p>{t("messages.killHint")}</p>
        <Form.Item name="reason" label={t("kill.reason")} extra={t("messages.killReasonHint")}>
          <Input maxLength={500} />
        </Form.Item>
      </FormDialog>
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
