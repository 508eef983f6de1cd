import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { useRouteError } from "react-router";
import { PageHeader } from "../ui/PageHeader";

/** A page that threw, or whose code could not be loaded after an upgrade of the server. */
export function CrashPage() {
  const { t } = useTranslation();
  const error = useRouteError();
  return (
    <div className="quiet-page" role="alert">
      <PageHeader title={t("app.crashed")} />
      <p className="mono muted">{error instanceof Error ? error.message : String(error)}</p>
      <Button onClick={() => window.location.reload()}>{t("app.reload")}</Button>
    </div>
  );
}
