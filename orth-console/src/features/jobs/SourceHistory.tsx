import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Button, Drawer, Empty, Tag } from "antd";
import { useTranslation } from "react-i18next";
import { listSources, readSource, restoreSource, sourceKeys, type SourceVersion } from "../../api/execution";
import { type Job, jobKeys } from "../../api/jobs";
import { lineChanges } from "../../lib/lineChanges";
import { ListSkeleton } from "../../ui/DataTable";
import { ErrorPanel } from "../../ui/ErrorPanel";
import { Instant } from "../../ui/Instant";
import { useConfirm } from "../../ui/useConfirm";
import { useReport } from "../../ui/useReport";
import { useMay } from "../auth/session";
import { SourceInput } from "./SourceInput";

type Props = { job: Job; shown: string | undefined; show: (version: string | undefined) => void };

/** Every version that is kept; the one in the address is shown and can be made the newest again. */
export function SourceHistory({ job, shown, show }: Props) {
  const { t } = useTranslation();
  const versions = useQuery({
    queryKey: sourceKeys.list(job.id, job.version),
    queryFn: ({ signal }) => listSources(job.id, signal),
    enabled: shown !== undefined,
  });
  return (
    <Drawer open={shown !== undefined} title={t("execution.historyOf")} size="large" onClose={() => show(undefined)} destroyOnHidden>
      {versions.error !== null ? (
        <ErrorPanel error={versions.error} onRetry={() => void versions.refetch()} />
      ) : versions.data === undefined ? (
        <ListSkeleton />
      ) : versions.data.length === 0 ? (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t("execution.historyEmpty")} />
      ) : (
        <ul className="source-versions">
          {versions.data.map((each) => (
            <li key={each.version}>
              <VersionRow version={each} current={each.version === job.glue?.version} shown={String(each.version) === shown} show={show} />
              {String(each.version) === shown ? <VersionText job={job} version={each} close={() => show(undefined)} /> : null}
            </li>
          ))}
        </ul>
      )}
    </Drawer>
  );
}

type RowProps = { version: SourceVersion; current: boolean; shown: boolean; show: (version: string) => void };

function VersionRow({ version, current, shown, show }: RowProps) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className="source-version"
      aria-expanded={shown}
      onClick={() => show(String(version.version))}
    >
      <span className="off-screen">{t("execution.show")}</span>
      <span className="strong tabular">{version.version}</span>
      {current ? <Tag color="blue">{t("execution.current")}</Tag> : null}
      <span>{t(`execution.glue.${version.type}`)}</span>
      <span className="clip">{version.note}</span>
      <span className="muted">
        {version.author} · <Instant at={version.createdAt} />
      </span>
    </button>
  );
}

function VersionText({ job, version, close }: { job: Job; version: SourceVersion; close: () => void }) {
  const { t } = useTranslation();
  const administers = useMay("administer");
  const confirm = useConfirm();
  const report = useReport();
  const client = useQueryClient();
  const text = useQuery({
    queryKey: sourceKeys.one(job.id, version.version),
    queryFn: ({ signal }) => readSource(job.id, version.version, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const restore = useMutation({
    mutationFn: () => restoreSource(job.id, version.version),
    onSuccess: async () => {
      report.done(t("execution.restored", { version: version.version }));
      close();
      await client.invalidateQueries({ queryKey: jobKeys.all });
    },
    onError: report.failed,
  });
  if (text.error !== null) {
    return <ErrorPanel error={text.error} onRetry={() => void text.refetch()} />;
  }
  if (text.data === undefined) {
    return <ListSkeleton />;
  }
  const source = text.data.source ?? "";
  const isCurrent = version.version === job.glue?.version;
  const changes = lineChanges(job.glue?.source ?? "", source);
  return (
    <>
      <SourceInput value={source} type={version.type} readOnly label={t("execution.sourceOf", { version: version.version })} />
      {isCurrent ? null : (
        <div className="section-header">
          <span className="muted">
            {changes.added + changes.removed === 0 ? t("execution.same") : t("execution.lines", changes)}
          </span>
          {administers ? (
            <Button
              size="small"
              onClick={() =>
                confirm({
                  title: t("execution.restoreTitle", { version: version.version }),
                  hint: t("execution.restoreHint"),
                  ok: t("execution.restore"),
                  act: () => restore.mutateAsync(),
                })
              }
            >
              {t("execution.restore")}
            </Button>
          ) : null}
        </div>
      )}
    </>
  );
}
