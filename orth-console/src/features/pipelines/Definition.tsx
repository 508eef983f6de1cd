import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type Pipeline, pipelineKeys, readPipelineText } from "../../api/pipelines";
import { CopyButton } from "../../ui/CopyButton";
import { ListSkeleton } from "../../ui/DataTable";
import { ErrorPanel } from "../../ui/ErrorPanel";
import { SourceInput } from "../jobs/SourceInput";
import { withoutVersion } from "./definitionText";
import { StagesTable } from "./StagesTable";

/** What the pipeline is: its stages, and the same as it is written. */
export function Definition({ pipeline }: { pipeline: Pipeline }) {
  const { t } = useTranslation();
  return (
    <>
      <section className="page-part" aria-label={t("pipelines.stages")}>
        <StagesTable stages={pipeline.stages} pipeline={pipeline.name} />
      </section>
      <DefinitionText pipeline={pipeline} />
    </>
  );
}

function DefinitionText({ pipeline }: { pipeline: Pipeline }) {
  const { t } = useTranslation();
  const text = useQuery({
    queryKey: [...pipelineKeys.text(pipeline.name), pipeline.version],
    queryFn: async ({ signal }) => withoutVersion(await readPipelineText(pipeline.name, signal)),
  });
  return (
    <section className="page-part" aria-label={t("pipelines.yaml")}>
      <div className="section-header">
        <h2>{t("pipelines.yaml")}</h2>
        {text.data === undefined ? null : <CopyButton size="small" type="text" text={() => text.data} />}
      </div>
      {text.error !== null ? (
        <ErrorPanel error={text.error} onRetry={() => void text.refetch()} />
      ) : text.data === undefined ? (
        <ListSkeleton />
      ) : (
        <SourceInput value={text.data} type="YAML" readOnly label={t("pipelines.yaml")} />
      )}
    </section>
  );
}
