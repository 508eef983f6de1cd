import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Modal } from "antd";
import { useTranslation } from "react-i18next";
import { toJsonText } from "../../../api/jsonText";
import { pipelineRunKeys, reconcile, type ReconcileAction } from "../../../api/pipelineRuns";
import { ListSkeleton } from "../../../ui/DataTable";
import { ErrorPanel } from "../../../ui/ErrorPanel";
import { useReport } from "../../../ui/useReport";

/** What the server does about runs. */
const actionKinds = [
  "FAN_OUT",
  "STAGE_OVER",
  "RUN_COMPLETED",
  "RUN_FAILED",
  "CANCELLED",
  "RETRIED",
  "MISSING_CHILD",
  "ORPHAN_MESSAGE",
  "LOST_COUNTER",
] as const;
type ActionKind = (typeof actionKinds)[number];

const isKnown = (kind: string): kind is ActionKind => (actionKinds as readonly string[]).includes(kind.toUpperCase());

/** First it says what it would do, then it does it. */
export function ReconcileDialog({ runId, onClose }: { runId: string; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  const trial = useQuery({
    queryKey: [...pipelineRunKeys.one(runId), "reconcile"],
    queryFn: () => reconcile(runId, true),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const act = useMutation({
    mutationFn: () => reconcile(runId, false),
    onSuccess: ({ actions }) => report.done(t("reconcile.done", { count: actions.length })),
    onSettled: () => client.invalidateQueries({ queryKey: pipelineRunKeys.all, predicate: ({ queryKey }) => !queryKey.includes("reconcile") }),
  });
  const over = act.data !== undefined;
  const shown = act.data ?? trial.data;
  const error = act.error ?? trial.error;
  return (
    <Modal
      open
      width={640}
      title={t("reconcile.title", { id: runId })}
      okText={t("reconcile.act")}
      okButtonProps={{ disabled: over || (trial.data?.actions.length ?? 0) === 0 }}
      cancelText={over ? t("common.close") : t("common.cancel")}
      confirmLoading={act.isPending}
      onOk={() => act.mutate()}
      onCancel={onClose}
    >
      <p className="muted">{t("reconcile.hint")}</p>
      <div aria-live="polite" aria-busy={trial.isFetching || act.isPending}>
        {error === null ? null : <ErrorPanel error={error} />}
        {shown === undefined ? error === null ? <ListSkeleton /> : null : <Actions actions={shown.actions} done={over} />}
      </div>
    </Modal>
  );
}

function Actions({ actions, done }: { actions: ReconcileAction[]; done: boolean }) {
  const { t, i18n } = useTranslation();
  const { format } = new Intl.NumberFormat(i18n.language);
  if (actions.length === 0) {
    return <p>{t("reconcile.nothing")}</p>;
  }
  return (
    <>
      <p>{t(done ? "reconcile.was" : "reconcile.would")}</p>
      <table className="fires">
        <thead>
          <tr>
            <th scope="col">{t("reconcile.what")}</th>
            <th scope="col">{t("stages.name")}</th>
            <th scope="col">{t("reconcile.count")}</th>
          </tr>
        </thead>
        <tbody>
          {actions.map((action) => (
            <tr key={`${action.kind} ${action.stage ?? ""} ${toJsonText(action.detail)}`}>
              <td>
                <ActionWords action={action} />
              </td>
              <td>{action.stage ?? t("common.none")}</td>
              <td className="tabular">{format(action.count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** What a newer server does stays as it calls it. */
function ActionWords({ action: { kind, detail } }: { action: ReconcileAction }) {
  const { t } = useTranslation();
  const more = toJsonText(detail);
  return (
    <>
      {isKnown(kind) ? t(`reconcile.kinds.${kind.toUpperCase() as ActionKind}`) : <span className="mono">{kind}</span>}
      {more === "" ? null : <div className="muted">{more}</div>}
    </>
  );
}
