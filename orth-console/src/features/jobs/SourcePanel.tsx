import { HistoryOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import type { Job } from "../../api/jobs";
import { useUrlFilter } from "../../lib/useUrlFilter";
import { SourceHistory } from "./SourceHistory";
import { SourceInput } from "./SourceInput";

/** The text that runs now, and the way to those that ran before. */
export function SourcePanel({ job }: { job: Job }) {
  const { t } = useTranslation();
  const url = useUrlFilter(["source"] as const);
  if (job.glue === null) {
    return null;
  }
  const label = t("execution.sourceOf", { version: job.glue.version });
  return (
    <section className="source-panel">
      <div className="section-header">
        <h2>{label}</h2>
        <Button size="small" icon={<HistoryOutlined />} onClick={() => url.set({ source: String(job.glue?.version) })}>
          {t("execution.history")}
        </Button>
      </div>
      <SourceInput key={job.glue.version} value={job.glue.source ?? ""} type={job.glue.type} readOnly label={label} />
      <SourceHistory job={job} shown={url.values.source} show={(version) => url.set({ source: version })} />
    </section>
  );
}
