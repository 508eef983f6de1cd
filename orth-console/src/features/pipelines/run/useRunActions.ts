import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { cancelPipelineRun, pipelineRunKeys, type RetryOf, retryPipelineRun } from "../../../api/pipelineRuns";
import { useReport } from "../../../ui/useReport";

/** Cancelling fails in its dialog, which says so itself. */
export function useCancelRun(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  return useMutation({
    mutationFn: (reason: string) => cancelPipelineRun(id, reason),
    onSuccess: () => report.done(t("pipelineRuns.cancelled", { id })),
    onSettled: () => client.invalidateQueries({ queryKey: pipelineRunKeys.all }),
  });
}

export function useRetryRun(id: string) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  return useMutation({
    mutationFn: (of: RetryOf) => retryPipelineRun(id, of),
    onSuccess: () => report.done(t("pipelineRuns.retried", { id })),
    onError: report.failed,
    onSettled: () => client.invalidateQueries({ queryKey: pipelineRunKeys.all }),
  });
}
