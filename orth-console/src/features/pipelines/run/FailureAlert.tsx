import { Alert } from "antd";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { Reason } from "../../../api/jsonText";
import { toleranceWords } from "../StageCells";

type TooMany = { stage: string; failed: number; of: number; tolerance: string };

/** What the server says in fields becomes a sentence; what it says in words stays. */
export function failureWords({ code, message, detail }: Reason, t: TFunction): { title: string; more: string } {
  if (code === "TOO_MANY_FAILURES" && message === "" && detail.startsWith("{")) {
    const { stage, failed, of, tolerance } = JSON.parse(detail) as TooMany;
    return { title: t("pipelineRuns.tooManyFailures", { stage, failed, of, tolerance: toleranceWords(tolerance, t) }), more: "" };
  }
  return { title: message === "" ? t("pipelineRuns.failedTitle") : message, more: [code, detail].filter((text) => text !== "").join(" ") };
}

/** Why a run failed. */
export function FailureAlert({ reason }: { reason: Reason }) {
  const { t } = useTranslation();
  const { title, more } = failureWords(reason, t);
  return (
    <Alert
      type="error"
      showIcon
      className="form-alert"
      title={title}
      {...(more === "" ? {} : { description: <span className="mono">{more}</span> })}
    />
  );
}
