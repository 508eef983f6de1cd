import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { PageHeader } from "../ui/PageHeader";

export function NotFoundPage() {
  const { t } = useTranslation();
  return (
    <div className="quiet-page">
      <PageHeader title={t("app.notFound")} />
      <p className="muted">{t("app.notFoundHint")}</p>
      <Link to="/jobs">{t("app.toJobs")}</Link>
    </div>
  );
}
