import { RocketOutlined } from "@ant-design/icons";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { App, Button, Form, Modal, Tooltip } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { pipelineRunKeys, type RunDraft, startPipelineRun, type Submitted, tryPipelineRun } from "../../api/pipelineRuns";
import type { Pipeline } from "../../api/pipelines";
import { ErrorPanel } from "../../ui/ErrorPanel";
import { useReport } from "../../ui/useReport";
import { useMay } from "../auth/session";
import { pipelineRunPath } from "./paths";
import { RunItems } from "./RunItems";
import { firstTasks, newKey, newRun, runDraft, type RunFields } from "./runFields";

/** The button, for those who may. */
export function StartRunButton({ pipeline, small = false }: { pipeline: Pipeline; small?: boolean }) {
  const { t } = useTranslation();
  const administers = useMay("administer");
  const [open, setOpen] = useState(false);
  if (!administers) {
    return null;
  }
  return (
    <>
      <Tooltip title={small ? t("pipelineStart.open") : null}>
        <Button
          type={small ? "text" : "primary"}
          size={small ? "small" : "middle"}
          icon={<RocketOutlined />}
          aria-label={t("pipelineStart.openNamed", { name: pipeline.name })}
          onClick={() => setOpen(true)}
        >
          {small ? null : t("pipelineStart.open")}
        </Button>
      </Tooltip>
      {open ? <StartRunDialog pipeline={pipeline.name} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** What was tried, and the key under which it is started: asking again after a lost answer starts nothing twice. */
type Tried = { draft: RunDraft; found: Submitted; key: string };

/** First it says what would come of it, then it starts it. */
function StartRunDialog({ pipeline, onClose }: { pipeline: string; onClose: () => void }) {
  const { t } = useTranslation();
  const [form] = Form.useForm<RunFields>();
  const trial = useMutation({
    mutationFn: async (draft: RunDraft): Promise<Tried> => ({ draft, found: await tryPipelineRun(pipeline, draft), key: newKey() }),
  });
  const start = useStart(pipeline, onClose);
  const tried = trial.data;
  const change = (): void => {
    trial.reset();
    start.reset();
  };
  return (
    <Modal
      open
      width={640}
      title={t("pipelineStart.title", { name: pipeline })}
      okText={t(tried === undefined ? "pipelineStart.check" : "pipelineStart.start")}
      cancelText={t("common.cancel")}
      confirmLoading={trial.isPending || start.isPending}
      onOk={() => (tried === undefined ? form.submit() : start.mutate(tried))}
      onCancel={onClose}
    >
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={newRun()}
        onValuesChange={change}
        onFinish={(fields) => trial.mutate(runDraft(fields))}
      >
        <RunItems />
      </Form>
      <div aria-live="polite" aria-busy={trial.isPending || start.isPending}>
        {(start.error ?? trial.error) === null ? null : <ErrorPanel error={start.error ?? trial.error} />}
        {tried === undefined ? null : <Outlook tried={tried} />}
      </div>
    </Modal>
  );
}

function useStart(pipeline: string, onClose: () => void) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const navigate = useNavigate();
  const client = useQueryClient();
  const report = useReport();
  return useMutation({
    mutationFn: ({ draft, key }: Tried) => startPipelineRun(pipeline, draft, key),
    onSuccess: async ({ rootJobId, duplicate }) => {
      onClose();
      if (duplicate) {
        void message.warning(t("pipelineStart.duplicate"));
      } else {
        report.done(t("pipelineStart.done", { id: rootJobId ?? "" }));
      }
      void client.invalidateQueries({ queryKey: pipelineRunKeys.all });
      if (rootJobId !== null) {
        await navigate(pipelineRunPath(rootJobId));
      }
    },
  });
}

function Outlook({ tried: { draft, found } }: { tried: Tried }) {
  const { t } = useTranslation();
  const { tasks, basis } = found.estimate;
  return (
    <div className="outlook">
      <p>
        {t("pipelineStart.first", { count: firstTasks(draft), version: found.version })}{" "}
        {tasks === null ? null : <span className="strong">{t("pipelineStart.estimate", { count: tasks })}</span>}
      </p>
      <p className="muted">{t(`pipelineStart.basis.${basis}`)}</p>
    </div>
  );
}
