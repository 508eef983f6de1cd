import { useTranslation } from "react-i18next";
import { pipelineKeys, removePipeline } from "../../api/pipelines";
import { DeleteButton } from "../../ui/DeleteButton";
import { pipelinesPath } from "./paths";

export function DeletePipeline({ name }: { name: string }) {
  const { t } = useTranslation();
  return (
    <DeleteButton
      title={t("pipelines.deleteTitle", { name })}
      hint={t("pipelines.deleteHint")}
      remove={() => removePipeline(name)}
      deleted={t("pipelines.deleted", { name })}
      listPath={pipelinesPath}
      listKey={pipelineKeys.list}
      ownKey={pipelineKeys.one(name)}
    />
  );
}
