import { Alert, Button } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "../../api/problem";
import { ProblemText } from "../../ui/ErrorPanel";
import { SourceInput } from "../jobs/SourceInput";

type Props = {
  value: string;
  onChange: (value: string) => void;
  /** Why the server did not take it; null where it was not asked, or somebody else says it. */
  error: unknown;
  busy: boolean;
  okText: string;
  onSubmit: () => void;
  onCancel: () => void;
  /** Something to decide before it can be saved. */
  notice?: ReactNode;
  /** What stands above the text. */
  children?: ReactNode;
};

/** The definition as text, and what the server has to say about it. */
export function DefinitionForm({ value, onChange, error, busy, okText, onSubmit, onCancel, notice, children }: Props) {
  const { t } = useTranslation();
  return (
    <div className="definition-form">
      {children}
      <SourceInput value={value} onChange={onChange} type="YAML" label={t("pipelines.yaml")} />
      <p className="muted">{t("pipelineForm.hint")}</p>
      {error === null ? null : <Refusal error={error} />}
      {notice}
      <div className="form-buttons">
        <Button type="primary" loading={busy} disabled={value.trim() === "" || notice != null} onClick={onSubmit}>
          {okText}
        </Button>
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
      </div>
    </div>
  );
}

/** Each field by its name, as the text has no fields of its own to mark. */
function Refusal({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const fields = error instanceof Problem ? error.errors : [];
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      className="form-alert"
      title={t("pipelineForm.refused")}
      description={
        fields.length === 0 ? (
          <ProblemText error={error} />
        ) : (
          <ul className="field-errors">
            {fields.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                <span className="mono strong">{field}</span> {message}
              </li>
            ))}
          </ul>
        )
      }
    />
  );
}
