import { ArrowRightOutlined } from "@ant-design/icons";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ConcernedExecutor, Transition, Writer } from "../../api/transitions";
import { StateTag } from "./StateTag";

/** From where to where. */
export function ChangeCell({ of }: { of: Transition }) {
  return (
    <span className="state-change">
      {of.from === null ? null : (
        <>
          <StateTag kind={of.entity} state={of.from} />
          <ArrowRightOutlined className="muted" />
        </>
      )}
      <StateTag kind={of.entity} state={of.to} />
    </span>
  );
}

/** The admin's process and thread that made a change. */
export function WriterCell({ writer }: { writer: Writer | null }) {
  const { t } = useTranslation();
  if (writer === null) {
    return t("common.none");
  }
  return (
    <Lines title={`${writer.node} ${writer.version} ${writer.thread}`}>
      <span>{t("events.pid", { host: writer.host, pid: writer.pid })}</span>
      {writer.thread === "" ? null : <span className="muted">{t("events.thread", { thread: writer.thread })}</span>}
    </Lines>
  );
}

type ExecutorProps = { executor: ConcernedExecutor | null; withInstance?: boolean };

/** The executor's process that a change is about. */
export function ExecutorCell({ executor, withInstance = false }: ExecutorProps) {
  const { t } = useTranslation();
  if (executor === null || executor.instance === "") {
    return t("common.none");
  }
  return (
    <Lines title={executor.instance}>
      <span>{executor.address}</span>
      <span className="muted">{executor.pid === 0 ? executor.host : t("events.pid", { host: executor.host, pid: executor.pid })}</span>
      {withInstance ? <span className="muted">{executor.instance}</span> : null}
    </Lines>
  );
}

const Lines = ({ title, children }: { title: string; children: ReactNode }) => (
  <span className="mono two-lines" title={title}>
    {children}
  </span>
);
