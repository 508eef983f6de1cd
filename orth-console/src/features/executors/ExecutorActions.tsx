import { LineChartOutlined, VerticalAlignBottomOutlined } from "@ant-design/icons";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Button, Tooltip } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { drainExecutor, type Executor, executorKeys } from "../../api/executors";
import { useConfirm } from "../../ui/useConfirm";
import { useReport } from "../../ui/useReport";
import { useMay } from "../auth/session";
import { HistoryDrawer } from "./HistoryDrawer";

/** Its history, and taking it out of service; those that speak XXL-JOB's wire know neither. */
export function ExecutorActions({ executor }: { executor: Executor }) {
  const { t } = useTranslation();
  const operates = useMay("operate");
  const client = useQueryClient();
  const report = useReport();
  const confirm = useConfirm();
  const [history, setHistory] = useState(false);
  const { address } = executor;
  const drain = useMutation({
    mutationFn: () => drainExecutor(executor.instanceId),
    onSuccess: () => report.done(t("executors.drains", { address })),
    onError: report.failed,
    onSettled: () => client.invalidateQueries({ queryKey: executorKeys.all }),
  });
  const confirmDrain = (): void =>
    confirm({
      title: t("executors.drainTitle", { address }),
      hint: t("executors.drainHint", { count: (executor.metrics?.running ?? 0) + (executor.metrics?.queued ?? 0) }),
      ok: t("executors.drain"),
      act: () => drain.mutateAsync(),
    });
  return (
    <div className="row-actions">
      {executor.kind === "ORTH" ? (
        <Tooltip title={t("executors.history")}>
          <Button
            type="text"
            size="small"
            icon={<LineChartOutlined />}
            aria-label={t("executors.historyOf", { address })}
            onClick={() => setHistory(true)}
          />
        </Tooltip>
      ) : null}
      {operates && executor.kind === "ORTH" && executor.status === "ONLINE" && !executor.draining ? (
        <Tooltip title={t("executors.drain")}>
          <Button
            type="text"
            size="small"
            danger
            icon={<VerticalAlignBottomOutlined />}
            aria-label={t("executors.drainNamed", { address })}
            loading={drain.isPending}
            onClick={confirmDrain}
          />
        </Tooltip>
      ) : null}
      <HistoryDrawer executor={executor} open={history} onClose={() => setHistory(false)} />
    </div>
  );
}
