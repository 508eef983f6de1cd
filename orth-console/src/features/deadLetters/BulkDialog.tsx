import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Alert, Form, Input, Skeleton } from "antd";
import { useTranslation } from "react-i18next";
import { type BulkAction, countConcerned, type Operation, operationKeys, type Scope, startOperation } from "../../api/operations";
import { ProblemText } from "../../ui/ErrorPanel";
import { FormDialog } from "../../ui/FormDialog";
import { ScopeWords } from "../operations/ScopeWords";

type Props = { action: BulkAction; scope: Scope; onStarted: (operation: Operation) => void; onClose: () => void };

/** First it says how many it would concern, then it begins. */
export function BulkDialog({ action, scope, onStarted, onClose }: Props) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const count = useQuery({
    queryKey: operationKeys.count(action, scope),
    queryFn: () => countConcerned(action, scope),
    // What was counted for another dialog is no answer.
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const start = useMutation({
    mutationFn: (reason: string) => startOperation(action, scope, reason),
    onSuccess: (operation) => {
      client.setQueryData(operationKeys.one(operation.id), operation);
      onStarted(operation);
    },
  });
  const concerned = count.data ?? 0;
  return (
    <FormDialog<{ reason?: string }>
      open
      title={t(`dead.dialog.${action}`)}
      okText={concerned === 0 ? t(`dead.act.${action}`) : t(`dead.selected.${action}`, { count: concerned })}
      danger={action === "DISCARD"}
      blocked={concerned === 0}
      fields={["reason"]}
      busy={start.isPending}
      onSubmit={({ reason }) => start.mutateAsync((reason ?? "").trim())}
      onClose={onClose}
    >
      <p>
        <ScopeWords scope={scope} />
      </p>
      <div aria-live="polite" aria-busy={count.isPending} className="bulk-count">
        {count.error === null ? <Count action={action} count={count.data} /> : <Alert type="error" showIcon title={<ProblemText error={count.error} />} />}
      </div>
      <Form.Item name="reason" label={t("operations.reason")} extra={t("operations.reasonHint")}>
        <Input autoFocus maxLength={500} autoComplete="off" />
      </Form.Item>
    </FormDialog>
  );
}

function Count({ action, count }: { action: BulkAction; count: number | undefined }) {
  const { t } = useTranslation();
  if (count === undefined) {
    return <Skeleton active title={false} paragraph={{ rows: 2 }} />;
  }
  if (count === 0) {
    return <p>{t("dead.noneConcerned")}</p>;
  }
  return (
    <>
      <p className="strong">{t(`dead.would.${action}`, { count })}</p>
      <p className="muted">{t(`dead.hint.${action}`)}</p>
    </>
  );
}
