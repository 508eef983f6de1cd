import { Switch, Tooltip } from "antd";
import { useTranslation } from "react-i18next";
import type { Job } from "../../api/jobs";
import { useMay } from "../auth/session";
import { useSetEnabled } from "./useJobActions";

/** Pauses and resumes a job. Those who may not see how it stands and why they cannot change it. */
export function EnabledSwitch({ job }: { job: Job }) {
  const { t } = useTranslation();
  const operates = useMay("operate");
  const change = useSetEnabled(job);
  const reason = operates ? (job.stopReason ? t("jobs.stopReason", { reason: job.stopReason }) : null) : t("error.needsOperator");
  return (
    <Tooltip title={reason}>
      <Switch
        size="small"
        checked={change.isPending ? change.variables : job.enabled}
        loading={change.isPending}
        disabled={!operates}
        aria-label={t(job.enabled ? "jobs.pause" : "jobs.resume", { name: job.name })}
        onChange={(enabled) => change.mutate(enabled)}
      />
    </Tooltip>
  );
}
