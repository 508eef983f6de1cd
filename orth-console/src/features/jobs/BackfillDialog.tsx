import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Button, DatePicker, Modal } from "antd";
import type { Dayjs } from "dayjs";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type Backfill, backfill, canBackfill, previewBackfill, type Range } from "../../api/backfill";
import { type Job, jobKeys } from "../../api/jobs";
import { runKeys } from "../../api/runs";
import { formatInstant } from "../../lib/time";
import { ErrorPanel } from "../../ui/ErrorPanel";
import { useReport } from "../../ui/useReport";
import { useMay } from "../auth/session";

/** The button of a job that has fire times of the past, for those who may use it. */
export function BackfillButton({ job }: { job: Job }) {
  const { t } = useTranslation();
  const operates = useMay("operate");
  const [open, setOpen] = useState(false);
  if (!operates || !canBackfill[job.schedule.type]) {
    return null;
  }
  return (
    <>
      <Button aria-label={t("backfill.openNamed", { name: job.name })} onClick={() => setOpen(true)}>
        {t("backfill.open")}
      </Button>
      {open ? <BackfillDialog job={job} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

function BackfillDialog({ job, onClose }: { job: Job; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  const [range, setRange] = useState<Range | null>(null);
  const preview = useQuery({
    queryKey: [...jobKeys.one(job.id), "backfill", range],
    queryFn: () => (range === null ? null : previewBackfill(job.id, range)),
    enabled: range !== null,
    gcTime: 0,
    retry: false,
  });
  const start = useMutation({
    mutationFn: (chosen: Range) => backfill(job.id, chosen),
    onSuccess: (made) => {
      report.done(t("backfill.done", { count: made.runs }));
      void client.invalidateQueries({ queryKey: runKeys.all });
      onClose();
    },
    onError: report.failed,
  });
  const count = preview.data?.runs ?? 0;
  const choose = (days: [Dayjs | null, Dayjs | null] | null): void => {
    const [from, to] = days ?? [null, null];
    setRange(from === null || to === null ? null : { from: from.toDate(), to: to.toDate() });
  };
  return (
    <Modal
      open
      title={t("backfill.title", { name: job.name })}
      okText={t("backfill.start", { count })}
      okButtonProps={{ disabled: range === null || count === 0 }}
      cancelText={t("common.cancel")}
      confirmLoading={start.isPending}
      onOk={() => (range === null ? undefined : start.mutate(range))}
      onCancel={onClose}
    >
      <p className="muted">{t("backfill.hint")}</p>
      <DatePicker.RangePicker showTime aria-label={t("backfill.range")} onChange={choose} />
      <div aria-live="polite" aria-busy={preview.isFetching} className="backfill-preview">
        {range === null ? (
          <p className="muted">{t("backfill.wait")}</p>
        ) : preview.error !== null ? (
          <ErrorPanel error={preview.error} onRetry={() => void preview.refetch()} />
        ) : (
          <PreviewOf found={preview.data ?? null} />
        )}
      </div>
    </Modal>
  );
}

function PreviewOf({ found }: { found: Backfill | null }) {
  const { t } = useTranslation();
  if (found === null) {
    return null;
  }
  if (found.times.length === 0) {
    return <p className="muted">{t("backfill.nothing")}</p>;
  }
  return (
    <>
      <p>
        {t("backfill.summary", { count: found.runs })}{" "}
        {found.existing === 0 ? null : <span className="muted">{t("backfill.existing", { count: found.existing })}</span>}
      </p>
      <table className="fires tabular">
        <thead>
          <tr>
            <th scope="col">{t("backfill.planned")}</th>
            <th scope="col">{t("backfill.has")}</th>
          </tr>
        </thead>
        <tbody>
          {found.times.map(({ at, runId }) => (
            <tr key={at.getTime()}>
              <td>{formatInstant(at)}</td>
              <td>{runId === null ? t("backfill.fresh") : <Link to={`/runs/${runId}`}>{runId}</Link>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
