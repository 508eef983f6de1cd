import { useMutation, useQueryClient } from "@tanstack/react-query";
import { App, Form, Input } from "antd";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { pushMessage } from "../../api/messages";
import { type Queue, queueKeys } from "../../api/queues";
import { FormDialog } from "../../ui/FormDialog";
import { useReport } from "../../ui/useReport";
import { messageDraft, type MessageFields, messageFieldNames, newMessage } from "./messageFields";
import { messagePath } from "./paths";
import { PushFields } from "./PushFields";

type Props = {
  /** Null where the one who pushes names it. */
  queue: Queue | null;
  open: boolean;
  onClose: () => void;
};

/** Puts a message into a queue and goes to it. */
export function PushDialog({ queue, open, onClose }: Props) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const client = useQueryClient();
  const navigate = useNavigate();
  const report = useReport();
  const push = useMutation({
    mutationFn: async (fields: MessageFields) => {
      const name = queue?.name ?? (fields.queue ?? "").trim();
      return { name, ...(await pushMessage(name, messageDraft(fields))) };
    },
    onSuccess: async ({ name, id, duplicate }) => {
      if (duplicate) {
        void message.warning(t("push.duplicate"));
      } else {
        report.done(t("push.done", { id }));
      }
      void client.invalidateQueries({ queryKey: queueKeys.all });
      await navigate(messagePath(name, id));
    },
  });
  return (
    <FormDialog<MessageFields>
      open={open}
      title={queue === null ? t("queues.push") : t("push.title", { name: queue.name })}
      okText={t("push.ok")}
      width={640}
      initial={newMessage()}
      fields={messageFieldNames}
      busy={push.isPending}
      onSubmit={push.mutateAsync}
      onClose={onClose}
    >
      {queue === null ? <QueueItem /> : null}
      <PushFields usualAttempts={queue?.maxAttempts ?? null} />
    </FormDialog>
  );
}

function QueueItem() {
  const { t } = useTranslation();
  return (
    <Form.Item
      name="queue"
      label={t("queues.name")}
      extra={t("push.queueHint")}
      rules={[{ required: true, whitespace: true, message: t("common.required") }]}
    >
      <Input className="mono" spellCheck={false} autoComplete="off" maxLength={100} />
    </Form.Item>
  );
}
