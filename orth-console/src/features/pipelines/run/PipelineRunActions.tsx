import { DownloadOutlined, RedoOutlined, StopOutlined, ToolOutlined } from "@ant-design/icons";
import { Button, Dropdown, Form, Input } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { isRunOver, type PipelineRun, postMortemUrl, type RetryOf, retryable } from "../../../api/pipelineRuns";
import { FormDialog } from "../../../ui/FormDialog";
import { useConfirm } from "../../../ui/useConfirm";
import { useMay } from "../../auth/session";
import { ReconcileDialog } from "./ReconcileDialog";
import { useCancelRun, useRetryRun } from "./useRunActions";

/** What can be done about a run where it stands. Everybody may read all that is known about it. */
export function PipelineRunActions({ run }: { run: PipelineRun }) {
  const { t } = useTranslation();
  const operates = useMay("operate");
  return (
    <>
      {operates ? (
        <>
          <RetryFailed run={run} />
          <ReconcileButton run={run} />
          {isRunOver(run.status) ? null : <CancelButton run={run} />}
        </>
      ) : null}
      <Button icon={<DownloadOutlined />} href={postMortemUrl(run.id)} download={`post-mortem-${run.id}.json`}>
        {t("pipelineRuns.postMortem")}
      </Button>
    </>
  );
}

/** All failed tasks, or those of one stage where there are several. */
function RetryFailed({ run }: { run: PipelineRun }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const retry = useRetryRun(run.id);
  const stages = retryable(run);
  if (stages.length === 0) {
    return null;
  }
  const ask = (of: RetryOf, count: number): void =>
    confirm({
      title: t("pipelineRuns.retryTitle", { count }),
      hint: t("pipelineRuns.retryHint"),
      ok: t("pipelineRuns.retry"),
      danger: false,
      act: () => retry.mutateAsync(of),
    });
  const all = stages.reduce((sum, stage) => sum + stage.failed, 0);
  if (stages.length === 1) {
    return (
      <Button icon={<RedoOutlined />} onClick={() => ask({}, all)}>
        {t("pipelineRuns.retryFailed")}
      </Button>
    );
  }
  const items = [
    { key: "", label: t("pipelineRuns.retryAll", { count: all }), onClick: () => ask({}, all) },
    ...stages.map(({ name, failed }) => ({
      key: name,
      label: t("pipelineRuns.retryStage", { count: failed, stage: name }),
      onClick: () => ask({ stage: name }, failed),
    })),
  ];
  return (
    <Dropdown menu={{ items }} trigger={["click"]}>
      <Button icon={<RedoOutlined />}>{t("pipelineRuns.retryFailed")}</Button>
    </Dropdown>
  );
}

function ReconcileButton({ run }: { run: PipelineRun }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={<ToolOutlined />} onClick={() => setOpen(true)}>
        {t("reconcile.word")}
      </Button>
      {open ? <ReconcileDialog runId={run.id} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function CancelButton({ run }: { run: PipelineRun }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const cancel = useCancelRun(run.id);
  return (
    <>
      <Button danger icon={<StopOutlined />} onClick={() => setOpen(true)}>
        {t("pipelineRuns.cancel")}
      </Button>
      <FormDialog<{ reason?: string }>
        open={open}
        title={t("pipelineRuns.cancelTitle", { id: run.id })}
        okText={t("pipelineRuns.cancel")}
        danger
        initial={{ reason: "" }}
        fields={["reason"]}
        busy={cancel.isPending}
        onSubmit={({ reason }) => cancel.mutateAsync((reason ?? "").trim())}
        onClose={() => setOpen(false)}
      >
        <p>{t("pipelineRuns.cancelHint")}</p>
        <Form.Item name="reason" label={t("pipelineRuns.reason")} extra={t("pipelineRuns.reasonHint")}>
          <Input autoFocus maxLength={500} autoComplete="off" />
        </Form.Item>
      </FormDialog>
    </>
  );
}
