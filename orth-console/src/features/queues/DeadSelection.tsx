import { DeleteOutlined, RedoOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { type Message, mostAtOnce } from "../../api/messages";
import { useConfirm } from "../../ui/useConfirm";
import { useManyMessages } from "./useQueueActions";

type Props = { queue: string; rows: Message[]; chosen: Message[]; onChange: (ids: string[]) => void };

/** Retries or discards the messages that are selected; nothing where none is. */
export function DeadSelection({ queue, rows, chosen, onChange }: Props) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const retry = useManyMessages(queue, "retry");
  const discard = useManyMessages(queue, "discard");
  if (chosen.length === 0) {
    return null;
  }
  const ids = chosen.slice(0, mostAtOnce).map((message) => message.id);
  const count = ids.length;
  const alike = likeThese(rows, chosen);
  const confirmRetry = (): void =>
    confirm({
      title: t("messages.retryTitle", { count }),
      hint: t("messages.retryHint"),
      ok: t("messages.retry"),
      danger: false,
      act: () => retry.mutateAsync(ids).then(() => onChange([])),
    });
  const confirmDiscard = (): void =>
    confirm({
      title: t("messages.discardTitle", { count }),
      hint: t("messages.discardHint"),
      ok: t("messages.discard"),
      act: () => discard.mutateAsync(ids).then(() => onChange([])),
    });
  return (
    <div className="selection-bar row-actions">
      <Button size="small" icon={<RedoOutlined />} onClick={confirmRetry}>
        {t("messages.retryMany", { count })}
      </Button>
      <Button size="small" danger icon={<DeleteOutlined />} onClick={confirmDiscard}>
        {t("messages.discardMany", { count })}
      </Button>
      {alike.length > chosen.length ? (
        <Button size="small" type="text" onClick={() => onChange(alike)}>
          {t("messages.selectAlike", { count: alike.length })}
        </Button>
      ) : null}
    </div>
  );
}

/** All that failed in the same way as one of those that are selected. */
export function likeThese(rows: Message[], chosen: Message[]): string[] {
  const kinds = new Set(chosen.map((message) => message.fingerprint));
  return rows.filter((message) => kinds.has(message.fingerprint)).map((message) => message.id);
}
