import { PauseOutlined, PlayCircleOutlined, SearchOutlined } from "@ant-design/icons";
import { Alert, Button } from "antd";
import { useTranslation } from "react-i18next";
import { mostLines } from "../../api/systemLogStream";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { ProblemText } from "../../ui/ErrorPanel";
import { LinkButton } from "../../ui/LinkButton";
import { PageHeader } from "../../ui/PageHeader";
import { rowClassOf, useLineColumns } from "./lineColumns";
import { useSystemLog, type WatchedLog } from "./useSystemLog";

/** What the admins do and meet, as it happens. */
export default function SystemLogPage() {
  const { t } = useTranslation();
  const watched = useSystemLog();
  const columns = useLineColumns();
  const waiting = watched.rows.length === 0 && watched.state.endsWith("connecting");
  return (
    <>
      <PageHeader title={t("systemLog.title")} after={<WatchStatus watched={watched} />} actions={<Actions watched={watched} />} />
      <Notices watched={watched} />
      <DataTable
        label={t("systemLog.title")}
        columns={columns}
        rowKey={(line) => line.id}
        rowClassName={rowClassOf}
        rows={waiting ? undefined : [...watched.rows]}
        error={waiting ? watched.problem : null}
        onRetry={watched.resume}
        empty={<EmptyList filtered={false} title={t("systemLog.empty")} hint={t("systemLog.emptyHint")} />}
      />
    </>
  );
}

function Notices({ watched }: { watched: WatchedLog }) {
  const { t } = useTranslation();
  return (
    <>
      {watched.problem === null || watched.rows.length === 0 ? null : (
        <Alert type="error" showIcon className="form-alert" title={<ProblemText error={watched.problem} />} />
      )}
      {watched.missed === 0 ? null : (
        <Alert type="warning" showIcon className="form-alert" title={t("systemLog.missed", { count: watched.missed })} />
      )}
    </>
  );
}

function WatchStatus({ watched }: { watched: WatchedLog }) {
  const { t } = useTranslation();
  const count = watched.rows.length;
  return (
    <>
      <output className="log-state" data-state={watched.state}>
        <span className="freshness-dot" aria-hidden="true" />
        {t(`systemLog.states.${watched.state}`)}
      </output>
      <span className="muted tabular">{t(count === mostLines ? "systemLog.bounded" : "systemLog.shown", { count })}</span>
    </>
  );
}

function Actions({ watched }: { watched: WatchedLog }) {
  const { t } = useTranslation();
  return (
    <>
      {watched.state === "paused" ? (
        <Button type="primary" icon={<PlayCircleOutlined />} onClick={watched.resume}>
          {t("systemLog.resume")}
        </Button>
      ) : (
        <Button icon={<PauseOutlined />} onClick={watched.pause}>
          {t("systemLog.pause")}
        </Button>
      )}
      <LinkButton to="/system-log/archive" icon={<SearchOutlined />}>
        {t("systemLog.toArchive")}
      </LinkButton>
    </>
  );
}
