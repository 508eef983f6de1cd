import { type TableColumnsType, Tag } from "antd";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type ImportEntry, importKinds, type ImportOutcome, type ImportReport, needsALook } from "../../api/xxlImports";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { FilterBar, SelectFilter } from "../../ui/FilterBar";

const pageSize = 100;

const outcomeColor: Record<ImportOutcome, "success" | "default" | "error"> = { CREATED: "success", EXISTS: "default", FAILED: "error" };

const views = ["look", "drift", "running", "FAILED", "CREATED", "EXISTS"] as const;
type View = (typeof views)[number];

const tests: Record<View, (entry: ImportEntry) => boolean> = {
  look: needsALook,
  drift: (entry) => entry.drift.length > 0,
  running: (entry) => entry.wasRunning,
  FAILED: (entry) => entry.outcome === "FAILED",
  CREATED: (entry) => entry.outcome === "CREATED",
  EXISTS: (entry) => entry.outcome === "EXISTS",
};

const isIn = (entry: ImportEntry, view: View | undefined): boolean => view === undefined || tests[view](entry);

/** What an import did, or would do: the counts, then each row with what there is to say about it. */
export function XxlImportReport({ report }: { report: ImportReport }) {
  const { t } = useTranslation();
  const [view, setView] = useState<View | undefined>(undefined);
  const [shown, setShown] = useState(pageSize);
  const columns = useColumns();
  const entries = report.entries.filter((entry) => isIn(entry, view));
  const counts = { GROUP: report.groups, JOB: report.jobs, USER: report.users };
  return (
    <section className="import-report" aria-label={t("xxlImport.report")}>
      <h2>{t(report.dryRun ? "xxlImport.would" : "xxlImport.was", { source: report.source })}</h2>
      <ul>
        {importKinds.map((kind) => (
          <li key={kind}>
            {t(`xxlImport.sums.${kind}`, counts[kind])}
          </li>
        ))}
      </ul>
      <p className="muted">{t("xxlImport.leftOut", { what: report.leftOut.join("; ") })}</p>
      <FilterBar>
        <SelectFilter
          label={t("xxlImport.show")}
          value={view}
          onChange={(next) => {
            setView(next as View | undefined);
            setShown(pageSize);
          }}
          options={views.map((each) => ({ value: each, label: t(`xxlImport.views.${each}`) }))}
        />
      </FilterBar>
      <DataTable
        label={t("xxlImport.report")}
        columns={columns}
        rowKey={(entry) => `${entry.kind}-${entry.sourceId}`}
        rows={entries.slice(0, shown)}
        error={null}
        onRetry={() => undefined}
        empty={<EmptyList filtered={view !== undefined} onClear={() => setView(undefined)} title={t("xxlImport.empty")} />}
        more={{ has: entries.length > shown, loading: false, load: () => setShown(shown + pageSize) }}
      />
    </section>
  );
}

function useColumns(): TableColumnsType<ImportEntry> {
  const { t } = useTranslation();
  return useMemo(
    () => [
      { key: "kind", title: t("xxlImport.kind"), render: (_, entry) => t(`xxlImport.kinds.${entry.kind}`) },
      { key: "sourceId", title: t("xxlImport.sourceId"), responsive: ["md"], render: (_, entry) => <span className="mono">{entry.sourceId}</span> },
      { key: "group", title: t("jobs.group"), responsive: ["lg"], render: (_, entry) => entry.group ?? "" },
      {
        key: "name",
        title: t("jobs.name"),
        render: (_, entry) => (entry.kind === "JOB" && entry.id !== null ? <Link to={`/jobs/${entry.id}`}>{entry.name}</Link> : entry.name),
      },
      {
        key: "outcome",
        title: t("xxlImport.outcome"),
        render: (_, entry) => (
          <>
            <Tag color={outcomeColor[entry.outcome]}>{t(`xxlImport.outcomes.${entry.outcome}`)}</Tag>
            {entry.wasRunning ? <Tag>{t("xxlImport.wasRunning")}</Tag> : null}
          </>
        ),
      },
      { key: "notes", title: t("xxlImport.notes"), render: (_, entry) => <Notes of={entry} /> },
    ],
    [t],
  );
}

function Notes({ of }: { of: ImportEntry }) {
  const { t } = useTranslation();
  return (
    <>
      {of.problem === null ? null : <div className="danger">{of.problem}</div>}
      {of.notMapped.map((each) => (
        <div key={each}>{t("xxlImport.notMapped", { what: each })}</div>
      ))}
      {of.drift.map(({ field, imported, current }) => (
        <div key={field}>{current === null ? t("xxlImport.deletedThere") : t("xxlImport.drift", { field, imported, current })}</div>
      ))}
      {of.changed.map((each) => (
        <div key={each} className="muted">
          {each}
        </div>
      ))}
    </>
  );
}
