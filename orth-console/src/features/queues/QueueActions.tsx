import { PauseOutlined, PlayCircleOutlined, PlusOutlined, SettingOutlined } from "@ant-design/icons";
import { Button, Tooltip } from "antd";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Queue } from "../../api/queues";
import { DeleteQueue } from "./DeleteQueue";
import { PurgeButton } from "./PurgeButton";
import { PushDialog } from "./PushDialog";
import { QueueSettings } from "./QueueSettings";
import { useSetPaused } from "./useQueueActions";

/** Push, pause or resume, settings: as icons in a row, with words on the queue's own page. Only there it can be purged and deleted. */
export function QueueActions({ queue, words = false }: { queue: Queue; words?: boolean }) {
  const { t } = useTranslation();
  const { name, paused } = queue;
  const [open, setOpen] = useState<"push" | "settings" | null>(null);
  const pause = useSetPaused(queue);
  const button = (label: string, word: string, icon: ReactNode, onClick: () => void, more = {}) => (
    <Tooltip title={words ? null : word}>
      <Button
        type={words ? "default" : "text"}
        size={words ? "middle" : "small"}
        icon={icon}
        aria-label={label}
        onClick={onClick}
        {...more}
      >
        {words ? word : null}
      </Button>
    </Tooltip>
  );
  return (
    <div className="row-actions">
      {button(t("queues.pushNamed", { name }), t("queues.push"), <PlusOutlined />, () => setOpen("push"), words ? { type: "primary" } : {})}
      {paused
        ? button(t("queues.resumeNamed", { name }), t("queues.resume"), <PlayCircleOutlined />, () => pause.mutate(false), {
            loading: pause.isPending,
          })
        : button(t("queues.pauseNamed", { name }), t("queues.pause"), <PauseOutlined />, () => pause.mutate(true), {
            loading: pause.isPending,
          })}
      {button(t("queues.settingsNamed", { name }), t("queues.settings"), <SettingOutlined />, () => setOpen("settings"))}
      {words ? <PurgeButton queue={queue} /> : null}
      {words ? <DeleteQueue name={name} /> : null}
      <PushDialog queue={queue} open={open === "push"} onClose={() => setOpen(null)} />
      {open === "settings" ? <QueueSettings queue={queue} onClose={() => setOpen(null)} /> : null}
    </div>
  );
}
