import { DeleteOutlined, EditOutlined, PlayCircleOutlined } from "@ant-design/icons";
import { Button, Tooltip } from "antd";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Job } from "../../api/jobs";
import { useConfirm } from "../../ui/useConfirm";
import { RunNowDialog } from "./RunNowDialog";
import { useDeleteJob } from "./useJobActions";

type Props = { job: Job; words?: boolean; onDeleted?: () => void };

/** Run now, edit, delete: as icons in a row, with words on the job's own page. */
export function JobActions({ job, words = false, onDeleted }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const [running, setRunning] = useState(false);
  const remove = useDeleteJob(job, onDeleted);
  const { name } = job;
  const isDeclared = job.declaration !== null && job.declaration.state !== "WITHDRAWN";
  const confirmDelete = (): void =>
    confirm({
      title: t("jobs.deleteTitle", { name }),
      hint: isDeclared ? `${t("jobs.deleteHint")} ${t("declared.deleteHint")}` : t("jobs.deleteHint"),
      ok: t("common.delete"),
      act: () => remove.mutateAsync(),
    });
  const type = words ? "default" : "text";
  // A name that does not have the visible words in it cannot be said to the page.
  const button = (label: string, word: string, icon: ReactNode, onClick: () => void, more = {}) => (
    <Tooltip title={words ? null : word}>
      <Button
        type={type}
        size={words ? "middle" : "small"}
        icon={icon}
        onClick={onClick}
        {...(words && !label.includes(word) ? {} : { "aria-label": label })}
        {...more}
      >
        {words ? word : null}
      </Button>
    </Tooltip>
  );
  return (
    <div className="row-actions">
      {button(t("jobs.runNamed", { name }), t("jobs.runNow"), <PlayCircleOutlined />, () => setRunning(true), words ? { type: "primary" } : {})}
      {button(t("jobs.editNamed", { name }), t("common.edit"), <EditOutlined />, () => void navigate(`/jobs/${job.id}/edit`))}
      {button(t("jobs.deleteNamed", { name }), t("common.delete"), <DeleteOutlined />, confirmDelete, { danger: true })}
      <RunNowDialog job={job} open={running} onClose={() => setRunning(false)} />
    </div>
  );
}
