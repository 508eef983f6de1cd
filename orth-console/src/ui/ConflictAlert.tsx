import { Alert, Button } from "antd";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

type Props = {
  description: string;
  /** Which parts of it the other person changed, where that is known. */
  changed?: string[];
  busy: boolean;
  onKeepMine: () => void;
  onLoadTheirs: () => void;
};

/** Says beside the button that saves why nothing was saved, and what can be done; it comes into view and takes the focus. */
export function ConflictAlert({ description, changed, busy, onKeepMine, onLoadTheirs }: Props) {
  const { t } = useTranslation();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    place.current?.scrollIntoView({ block: "nearest" });
    place.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={place} tabIndex={-1} className="conflict">
      <Alert
        type="warning"
        showIcon
        role="alert"
        className="form-alert"
        title={t("conflict.title")}
        description={
          <>
            <div>
              {description} {changed === undefined || changed.length === 0 ? null : t("conflict.changed", { parts: changed.join(", ") })}
            </div>
            <div className="row-buttons">
              <Button size="small" disabled={busy} onClick={onLoadTheirs}>
                {t("conflict.loadTheirs")}
              </Button>
              <Button size="small" danger loading={busy} onClick={onKeepMine}>
                {t("conflict.keepMine")}
              </Button>
            </div>
          </>
        }
      />
    </div>
  );
}
