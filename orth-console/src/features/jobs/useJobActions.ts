import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { deleteJob, type Job, jobKeys, setEnabled } from "../../api/jobs";
import { useReport } from "../../ui/useReport";

export function useSetEnabled(job: Job) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  return useMutation({
    mutationFn: (enabled: boolean) => setEnabled(job.id, enabled),
    onSuccess: (changed) => {
      client.setQueryData(jobKeys.one(job.id), changed);
      report.done(t(changed.enabled ? "jobs.resumed" : "jobs.pausedDone", { name: job.name }));
    },
    onError: report.failed,
    onSettled: () => client.invalidateQueries({ queryKey: jobKeys.all }),
  });
}

export function useDeleteJob(job: Job, onDeleted?: () => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  return useMutation({
    mutationFn: () => deleteJob(job.id),
    onSuccess: async () => {
      report.done(t("jobs.deleted", { name: job.name }));
      onDeleted?.();
      client.removeQueries({ queryKey: jobKeys.one(job.id) });
      await client.invalidateQueries({ queryKey: jobKeys.all });
    },
    onError: report.failed,
  });
}
