import { useTranslation } from "react-i18next";
import type { PipelineRun } from "../../../api/pipelineRuns";
import { TextPanel } from "../../queues/TextPanel";

/** What the run was given. */
export function InputTab({ run }: { run: PipelineRun }) {
  const { t } = useTranslation();
  return (
    <>
      <TextPanel name={t("pipelineStart.scope")} text={run.scope} empty={t("pipelineRuns.noInput")} />
      <TextPanel name={t("pipelineStart.options")} text={run.options} empty={t("pipelineRuns.noInput")} />
      {run.meta === "" || run.meta === "{}" ? null : <TextPanel name={t("messages.metadata")} text={run.meta} />}
    </>
  );
}
