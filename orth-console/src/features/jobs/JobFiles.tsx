import { DownloadOutlined, UploadOutlined } from "@ant-design/icons";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Button, Dropdown, Input, Modal, Upload } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { exportUrl, importJobs, type JobImport, tryImport } from "../../api/jobFiles";
import { type JobFilter, jobKeys } from "../../api/jobs";
import { ErrorPanel } from "../../ui/ErrorPanel";
import { useReport } from "../../ui/useReport";
import { useMay } from "../auth/session";

/** The jobs of a list as a file, and jobs from a file. */
export function JobFiles({ filter }: { filter: JobFilter }) {
  const { t } = useTranslation();
  const operates = useMay("operate");
  const [importing, setImporting] = useState(false);
  const formats = (["yaml", "json"] as const).map((format) => ({
    key: format,
    label: <a href={exportUrl(filter, format)}>{format.toUpperCase()}</a>,
  }));
  return (
    <>
      <Dropdown menu={{ items: formats }} trigger={["click"]}>
        <Button icon={<DownloadOutlined />}>{t("jobFiles.export")}</Button>
      </Dropdown>
      {operates ? (
        <Button icon={<UploadOutlined />} onClick={() => setImporting(true)}>
          {t("jobFiles.import")}
        </Button>
      ) : null}
      {importing ? <ImportDialog onClose={() => setImporting(false)} /> : null}
    </>
  );
}

/** First it says what it would do, then it does it. */
function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const report = useReport();
  const administers = useMay("administer");
  const [text, setText] = useState("");
  const trial = useMutation({ mutationFn: tryImport });
  const start = useMutation({
    mutationFn: importJobs,
    onSuccess: (done) => {
      void client.invalidateQueries({ queryKey: jobKeys.all });
      if (done.failed === 0) {
        report.done(t("jobFiles.done", { created: done.created, updated: done.updated }));
        onClose();
      }
    },
  });
  const change = (next: string): void => {
    setText(next);
    trial.reset();
    start.reset();
  };
  const shown = start.data ?? trial.data ?? null;
  const changes = (trial.data?.created ?? 0) + (trial.data?.updated ?? 0);
  const checked = trial.data !== undefined;
  const over = start.data !== undefined;
  return (
    <Modal
      open
      width={720}
      title={t("jobFiles.title")}
      okText={checked ? t("jobFiles.start", { count: changes }) : t("jobFiles.check")}
      okButtonProps={{ disabled: text.trim() === "" || over || (checked && changes === 0) }}
      cancelText={over ? t("common.close") : t("common.cancel")}
      confirmLoading={trial.isPending || start.isPending}
      onOk={() => (checked ? start.mutate(text) : trial.mutate(text))}
      onCancel={onClose}
    >
      <p className="muted">{t("jobFiles.hint")}</p>
      {administers ? (
        <p>
          <Link to="/jobs/xxl-job-import">{t("jobFiles.fromXxlJob")}</Link>
        </p>
      ) : null}
      <Upload
        accept=".yaml,.yml,.json"
        showUploadList={false}
        beforeUpload={(file) => {
          void file.text().then(change);
          return false;
        }}
      >
        <Button icon={<UploadOutlined />}>{t("jobFiles.choose")}</Button>
      </Upload>
      <Input.TextArea
        className="mono job-file"
        aria-label={t("jobFiles.text")}
        value={text}
        onChange={(event) => change(event.target.value)}
        autoSize={{ minRows: 8, maxRows: 16 }}
        spellCheck={false}
      />
      <div aria-live="polite" aria-busy={trial.isPending || start.isPending} className="backfill-preview">
        {(start.error ?? trial.error) === null ? null : <ErrorPanel error={start.error ?? trial.error} />}
        {shown === null ? null : <Outcomes of={shown} />}
      </div>
    </Modal>
  );
}

function Outcomes({ of }: { of: JobImport }) {
  const { t } = useTranslation();
  return (
    <>
      <p>
        {t(of.dryRun ? "jobFiles.would" : "jobFiles.was", {
          created: of.created,
          updated: of.updated,
          unchanged: of.unchanged,
          failed: of.failed,
        })}
      </p>
      <table className="fires">
        <thead>
          <tr>
            <th scope="col">{t("jobFiles.group")}</th>
            <th scope="col">{t("jobFiles.name")}</th>
            <th scope="col">{t("jobFiles.outcome")}</th>
          </tr>
        </thead>
        <tbody>
          {of.jobs.map((job) => (
            <tr key={`${job.group}/${job.name}`}>
              <td>{job.group}</td>
              <td>{job.name}</td>
              <td>{job.problem ?? t(`jobFiles.outcomes.${job.outcome}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
