import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { outboxKeys, redrive } from "../../../api/outbox";
import { useReport } from "../../../ui/useReport";

export function useRedrive() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  return useMutation({
    mutationFn: (ids: string[] | "all") => redrive(ids),
    onSuccess: (count) => report.done(t("outbox.redriven", { count })),
    onError: report.failed,
    onSettled: () => client.invalidateQueries({ queryKey: outboxKeys.all }),
  });
}
