import { useTranslation } from "react-i18next";
import type { PipelineRun } from "../../../api/pipelineRuns";
import { TextPanel } from "../../queues/TextPanel";

/** The result of the run as a whole, and links to what it produced. */
export function ResultTab({ run }: { run: PipelineRun }) {
  const { t } = useTranslation();
  return (
    <>
      <TextPanel name={t("pipelineRuns.tabs.result")} text={run.result} empty={t("pipelineRuns.noResult")} />
      {run.links.length === 0 ? null : (
        <section className="page-part" aria-label={t("pipelineRuns.links")}>
          <div className="section-header">
            <h2>{t("pipelineRuns.links")}</h2>
          </div>
          <ul>
            {run.links.map(({ name, url }) => (
              <li key={`${name} ${url}`}>
                <a href={url} target="_blank" rel="noreferrer" title={url}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
