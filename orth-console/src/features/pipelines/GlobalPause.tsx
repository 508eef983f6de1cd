import { useQuery } from "@tanstack/react-query";
import { Alert } from "antd";
import { useTranslation } from "react-i18next";
import { listPipelines, pipelineKeys } from "../../api/pipelines";
import { pollMillis } from "../../lib/queryClient";
import { useMay } from "../auth/session";
import { KillSwitch } from "./KillSwitch";

export const usePipelines = () =>
  useQuery({ queryKey: pipelineKeys.list, queryFn: ({ signal }) => listPipelines(signal), refetchInterval: pollMillis.lists });

/** Says so while nothing of any pipeline begins: whoever wonders why should not have to look elsewhere. */
export function GlobalPause() {
  const { t } = useTranslation();
  const administers = useMay("administer");
  const paused = usePipelines().data?.paused ?? false;
  return paused ? (
    <Alert
      type="warning"
      showIcon
      className="form-alert"
      title={t("pipelines.allPaused")}
      action={administers ? <KillSwitch of={{ pipeline: null, stage: null }} paused compact /> : undefined}
    />
  ) : null;
}
