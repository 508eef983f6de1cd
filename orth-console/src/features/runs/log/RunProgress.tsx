import { Progress } from "antd";
import { useTranslation } from "react-i18next";
import { hasEnded, type Run } from "../../../api/runs";

/** How far a run says it is; nothing for one that does not say, or has ended. */
export function RunProgress({ run, percent }: { run: Pick<Run, "status">; percent: number | null }) {
  const { t } = useTranslation();
  if (percent === null || hasEnded(run.status)) {
    return null;
  }
  return <Progress className="log-progress" size="small" percent={percent} aria-label={t("log.progress")} />;
}
