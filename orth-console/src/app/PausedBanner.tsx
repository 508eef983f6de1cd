import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Alert, Button } from "antd";
import { useTranslation } from "react-i18next";
import { readSystem, resumeInstallation, systemKeys } from "../api/system";
import { useMay } from "../features/auth/session";
import { useConfirm } from "../ui/useConfirm";
import { useReport } from "../ui/useReport";

/** Says on every page that nothing fires or is sent, and why; administrators can take the installation live. */
export function PausedBanner() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const confirm = useConfirm();
  const report = useReport();
  const mayResume = useMay("administer");
  const { data } = useQuery({ queryKey: systemKeys.all, queryFn: ({ signal }) => readSystem(signal), retry: false });
  const installation = data?.installation;
  if (installation === undefined || !installation.paused) {
    return null;
  }
  const resume = async (): Promise<void> => {
    try {
      await resumeInstallation();
      report.done(t("paused.resumed"));
    } catch (error) {
      report.failed(error);
    } finally {
      await client.invalidateQueries({ queryKey: systemKeys.all });
    }
  };
  const ask = (): void => confirm({ title: t("paused.confirm"), hint: t("paused.confirmHint"), ok: t("paused.resume"), act: resume });
  return (
    <Alert
      banner
      type="warning"
      title={t(installation.pauseReason === "COPIED" ? "paused.copied" : "paused.startPaused", { original: installation.copiedFromId ?? "" })}
      description={mayResume ? t("paused.hint") : t("paused.askAdministrator")}
      action={mayResume ? <Button onClick={ask}>{t("paused.resume")}</Button> : null}
    />
  );
}
