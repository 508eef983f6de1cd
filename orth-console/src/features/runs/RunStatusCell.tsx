import { Popover } from "antd";
import { useTranslation } from "react-i18next";
import { isEnding, type Run } from "../../api/runs";
import { StatusTag } from "../../ui/runStatus";

/** The status tag; a click shows the raw messages as the database has them. */
export function RunStatusCell({ run }: { run: Run }) {
  const { t } = useTranslation();
  const title = t("runs.rawOf", { id: run.id });
  return (
    <Popover
      trigger="click"
      placement="bottomLeft"
      title={title}
      content={
        <div className="raw-messages">
          <RawMessage name={t("runs.triggerMsg")} text={run.triggerMsg} />
          <RawMessage name={t("runs.handleMsg")} text={run.handleMsg} />
        </div>
      }
    >
      <button type="button" className="tag-button" title={title}>
        <StatusTag of={run} />
        {isEnding(run) ? <span className="muted small"> {t("kill.endingShort")}</span> : null}
      </button>
    </Popover>
  );
}

function RawMessage({ name, text }: { name: string; text: string }) {
  const { t } = useTranslation();
  return (
    <>
      <div className="mono muted">{name}</div>
      {/* Long messages scroll, so the keyboard must reach them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} aria-label={name}>
        {text === "" ? t("runs.noMessage") : text}
      </pre>
    </>
  );
}
