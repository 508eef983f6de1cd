import { Button } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { hasStatus, Problem } from "../api/problem";

type Props = { error: unknown; onRetry?: () => void };

/** Why a panel has nothing to show: not allowed, not there, no answer, or an error of the server. */
export function ErrorPanel({ error, onRetry }: Props) {
  const { t } = useTranslation();
  if (hasStatus(error, 403)) {
    return <Panel title={t("error.forbidden")}>{t("error.forbiddenHint")}</Panel>;
  }
  if (hasStatus(error, 404)) {
    return <Panel title={t("error.notFound")}>{t("app.notFoundHint")}</Panel>;
  }
  const problem = error instanceof Problem ? error : null;
  return (
    <Panel title={t("error.title")}>
      {problem?.unreachable ? t("error.unreachable") : <ProblemText error={error} />}
      {problem?.traceId ? <div className="mono">{t("error.trace", { traceId: problem.traceId })}</div> : null}
      {onRetry === undefined ? null : (
        <div className="row-buttons">
          <Button onClick={onRetry}>{t("common.retry")}</Button>
        </div>
      )}
    </Panel>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="error-panel" role="alert">
      <h2>{title}</h2>
      <div className="muted">{children}</div>
    </div>
  );
}

/** The words of an error and its stable code. */
export function ProblemText({ error }: { error: unknown }) {
  if (error instanceof Problem) {
    return (
      <>
        {error.message} <span className="mono">{error.code}</span>
      </>
    );
  }
  return error instanceof Error ? error.message : String(error);
}
