import { Button } from "antd";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { hasStatus, Problem } from "../api/problem";

type Props = { error: unknown; onRetry?: () => void };

/** How long after a missing answer the server is asked again. */
const retryMillis = 5000;

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
      {problem?.unreachable ? <Unreachable onRetry={onRetry} /> : <ProblemText error={error} />}
      {problem?.traceId ? <div className="mono">{t("error.trace", { traceId: problem.traceId })}</div> : null}
      {onRetry === undefined ? null : (
        <div className="row-buttons">
          <Button onClick={onRetry}>{t("common.retry")}</Button>
        </div>
      )}
    </Panel>
  );
}

/** Says that it is tried again only where that is done. */
function Unreachable({ onRetry }: { onRetry: (() => void) | undefined }) {
  const { t } = useTranslation();
  const retry = useRef(onRetry);
  useEffect(() => {
    retry.current = onRetry;
  }, [onRetry]);
  useEffect(() => {
    const timer = setInterval(() => retry.current?.(), retryMillis);
    return () => clearInterval(timer);
  }, []);
  return onRetry === undefined ? t("error.unreachable") : t("error.retrying");
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
