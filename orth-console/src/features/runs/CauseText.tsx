import { useTranslation } from "react-i18next";
import { type MessageCause, messageCauses } from "../../api/messages";
import { type PipelineRunCause, pipelineRunCauses } from "../../api/pipelineRuns";
import { type TaskCause, taskCauses } from "../../api/pipelineTasks";
import { type RunCause, runCauses } from "../../api/runs";
import { type EntityKind, type OtherCause, otherCauses } from "../../api/transitions";

const isOther = (cause: string): cause is OtherCause => (otherCauses as readonly string[]).includes(cause);
const isKnown = (cause: string): cause is RunCause => (runCauses as readonly string[]).includes(cause);
const isOfMessage = (cause: string): cause is MessageCause => (messageCauses as readonly string[]).includes(cause);

const isOfPipelineRun = (cause: string): cause is PipelineRunCause => (pipelineRunCauses as readonly string[]).includes(cause);
const isOfTask = (cause: string): cause is TaskCause => (taskCauses as readonly string[]).includes(cause);

/** The cause in words; one that a newer server knows stays as it is. */
export function CauseText({ cause, of = "RUN" }: { cause: string | null; of?: EntityKind }) {
  const { t } = useTranslation();
  if (cause === null) {
    return t("common.none");
  }
  if (of === "MESSAGE") {
    return isOfMessage(cause) ? t(`messageCause.${cause}`) : cause;
  }
  if (of === "PIPELINE_RUN") {
    return isOfPipelineRun(cause) ? t(`pipelineRunCause.${cause}`) : cause;
  }
  if (of === "PIPELINE_TASK") {
    return isOfTask(cause) ? t(`taskCause.${cause}`) : cause;
  }
  if (isKnown(cause)) {
    return t(`cause.${cause}`);
  }
  return isOther(cause) ? t(`stateCause.${cause}`) : cause;
}
