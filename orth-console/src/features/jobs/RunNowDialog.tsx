import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Form, Input, Modal } from "antd";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { jobKeys, triggerJob } from "../../api/jobs";
import { runKeys } from "../../api/runs";
import { useReport } from "../../ui/useReport";

type Props = {
  job: { id: string; name: string; param: string };
  /** Whether the parameter is sent even when it was not touched: that of an earlier run may not be the job's own. */
  always?: boolean;
  open: boolean;
  onClose: () => void;
};

/** Runs a job once, now, and goes to that run. */
export function RunNowDialog({ job, always = false, open, onClose }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const report = useReport();
  const [form] = Form.useForm<{ param: string }>();
  const trigger = useMutation({
    mutationFn: (param: string) => triggerJob(job.id, !always && param === job.param ? null : param),
    onSuccess: async (runId) => {
      onClose();
      void client.invalidateQueries({ queryKey: jobKeys.all });
      void client.invalidateQueries({ queryKey: runKeys.all });
      await navigate(`/runs/${runId}`);
    },
    onError: report.failed,
  });
  return (
    <Modal
      open={open}
      title={t("jobs.runTitle", { name: job.name })}
      okText={t("jobs.runNow")}
      cancelText={t("common.cancel")}
      confirmLoading={trigger.isPending}
      onOk={form.submit}
      onCancel={onClose}
      destroyOnHidden
    >
      <Form
        form={form}
        layout="vertical"
        preserve={false}
        initialValues={{ param: job.param }}
        onFinish={({ param }) => trigger.mutate(param ?? "")}
      >
        <Form.Item name="param" label={t("jobs.parameter")} extra={t("jobs.parameterHint")}>
          <Input.TextArea className="mono" autoSize={{ minRows: 3, maxRows: 12 }} spellCheck={false} />
        </Form.Item>
      </Form>
    </Modal>
  );
}
