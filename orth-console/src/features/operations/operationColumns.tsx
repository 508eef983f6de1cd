import type { TableColumnsType } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Operation } from "../../api/operations";
import { Instant } from "../../ui/Instant";
import { OperationProgress, OperationTag } from "./operationLook";
import { operationPath } from "./paths";
import { OperationScope } from "./ScopeWords";

export function useOperationColumns(): TableColumnsType<Operation> {
  const { t, i18n } = useTranslation();
  return useMemo(() => {
    const { format } = new Intl.NumberFormat(i18n.language);
    return [
      {
        key: "id",
        title: t("operations.id"),
        render: (_, operation) => (
          <Link className="tabular" to={operationPath(operation.id)}>
            #{operation.id}
          </Link>
        ),
      },
      { key: "action", title: t("operations.action"), render: (_, operation) => t(`operations.actions.${operation.action}`) },
      { key: "status", title: t("operations.status"), render: (_, operation) => <OperationTag status={operation.status} /> },
      { key: "progress", title: t("operations.progress"), render: (_, operation) => <OperationProgress of={operation} /> },
      {
        key: "failed",
        title: t("operations.failed"),
        align: "right",
        render: (_, operation) => (
          <span className={operation.failed > 0 ? "tabular danger" : "tabular"}>{format(operation.failed)}</span>
        ),
      },
      { key: "scope", title: t("operations.scope"), render: (_, operation) => <OperationScope of={operation} /> },
      { key: "by", title: t("operations.by"), responsive: ["md"], render: (_, operation) => operation.createdBy ?? t("common.none") },
      { key: "begun", title: t("operations.begun"), render: (_, operation) => <Instant at={operation.createdAt} /> },
      {
        key: "reason",
        title: t("operations.reason"),
        responsive: ["lg"],
        render: (_, operation) => (
          <span className="clip muted" title={operation.reason}>
            {operation.reason === "" ? t("common.none") : operation.reason}
          </span>
        ),
      },
    ];
  }, [t, i18n.language]);
}
