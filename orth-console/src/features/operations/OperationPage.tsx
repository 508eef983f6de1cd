import { Alert } from "antd";
import { useTranslation } from "react-i18next";
import { Link, useParams } from "react-router";
import type { Operation } from "../../api/operations";
import { Fact, Facts } from "../../ui/Facts";
import { Instant } from "../../ui/Instant";
import { PageHeader } from "../../ui/PageHeader";
import { PageState } from "../../ui/PageState";
import { useMay } from "../auth/session";
import { OperationActions } from "./OperationActions";
import { OperationProgress, OperationTag } from "./operationLook";
import { OperationScope } from "./ScopeWords";
import { useOperation } from "./useOperation";

/** How far an operation is, and what came of it. */
export default function OperationPage() {
  const { id = "" } = useParams();
  const { t } = useTranslation();
  const operates = useMay("operate");
  const query = useOperation(id);
  const operation = query.data;
  const title = t("operations.one", { id });
  if (operation === undefined) {
    return <PageState title={title} error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <>
      <PageHeader
        title={title}
        before={<Link to="/operations">{t("operations.title")}</Link>}
        after={<OperationTag status={operation.status} />}
        actions={operates ? <OperationActions operation={operation} /> : undefined}
      />
      <Outcome operation={operation} />
      <Origin operation={operation} />
    </>
  );
}

function Outcome({ operation }: { operation: Operation }) {
  const { t, i18n } = useTranslation();
  const { format } = new Intl.NumberFormat(i18n.language);
  const { status, total, done, skipped, failed, lastError, heldBy } = operation;
  return (
    <>
      <div className="operation-bar">
        <OperationProgress of={operation} />
      </div>
      {status !== "RUNNING" || heldBy === null ? null : (
        <Alert type="info" showIcon className="form-alert" title={t("operations.heldBy", { name: heldBy })} />
      )}
      {lastError === null || lastError === "" ? null : (
        <Alert
          type={failed > 0 ? "error" : "warning"}
          showIcon
          className="form-alert"
          title={t("operations.lastError", { error: lastError })}
        />
      )}
      <Facts>
        <Fact name={t("operations.total")}>
          <span className="figure">{format(total)}</span>
        </Fact>
        <Fact name={t("operations.done")}>
          <span className="figure">{format(done)}</span>
        </Fact>
        <Fact name={<span title={t("operations.skippedHint")}>{t("operations.skipped")}</span>}>
          <span className="figure">{format(skipped)}</span>
        </Fact>
        <Fact name={<span title={t("operations.failedHint")}>{t("operations.failed")}</span>}>
          <span className={failed > 0 ? "figure danger" : "figure"}>{format(failed)}</span>
        </Fact>
      </Facts>
    </>
  );
}

function Origin({ operation }: { operation: Operation }) {
  const { t } = useTranslation();
  return (
    <Facts>
      <Fact name={t("operations.action")}>{t(`operations.actions.${operation.action}`)}</Fact>
      <Fact name={t("operations.scope")}>
        <OperationScope of={operation} />
      </Fact>
      <Fact name={t("operations.by")}>{operation.createdBy ?? t("common.none")}</Fact>
      <Fact name={t("operations.reason")}>{operation.reason === "" ? t("common.none") : operation.reason}</Fact>
      <Fact name={t("operations.begun")}>
        <Instant at={operation.createdAt} />
      </Fact>
      <Fact name={t("common.updated")}>
        <Instant at={operation.updatedAt} />
      </Fact>
      <Fact name={t("operations.finished")}>
        <Instant at={operation.finishedAt} />
      </Fact>
    </Facts>
  );
}
