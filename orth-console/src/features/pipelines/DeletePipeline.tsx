import { DeleteOutlined } from "@ant-design/icons";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { pipelineKeys, removePipeline } from "../../api/pipelines";
import { useConfirm } from "../../ui/useConfirm";
import { useReport } from "../../ui/useReport";
import { pipelinesPath } from "./paths";

export function DeletePipeline({ name }: { name: string }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const report = useReport();
  const confirm = useConfirm();
  const act = useMutation({
    mutationFn: () => removePipeline(name),
    onSuccess: async () => {
      report.done(t("pipelines.deleted", { name }));
      await navigate(pipelinesPath);
      client.removeQueries({ queryKey: pipelineKeys.one(name) });
      await client.invalidateQueries({ queryKey: pipelineKeys.list });
    },
    onError: report.failed,
  });
  return (
    <Button
      danger
      icon={<DeleteOutlined />}
      onClick={() =>
        confirm({
          title: t("pipelines.deleteTitle", { name }),
          hint: t("pipelines.deleteHint"),
          ok: t("common.delete"),
          act: () => act.mutateAsync(),
        })
      }
    >
      {t("common.delete")}
    </Button>
  );
}
