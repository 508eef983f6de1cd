import { EditOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Tabs, Tag } from "antd";
import { useTranslation } from "react-i18next";
import { useParams } from "react-router";
import { type Pipeline, pipelineKeys, readPipeline } from "../../api/pipelines";
import { pollMillis } from "../../lib/queryClient";
import { useUrlFilter } from "../../lib/useUrlFilter";
import { Instant } from "../../ui/Instant";
import { LinkButton } from "../../ui/LinkButton";
import { PageHeader } from "../../ui/PageHeader";
import { PageState } from "../../ui/PageState";
import { useMay } from "../auth/session";
import { Definition } from "./Definition";
import { DeletePipeline } from "./DeletePipeline";
import { GlobalPause } from "./GlobalPause";
import { KillSwitch } from "./KillSwitch";
import { editPipelinePath } from "./paths";
import { PausedMark } from "./pipelineLook";
import { RunsTable } from "./run/RunsTable";
import { StartRunButton } from "./StartRun";
import { Versions } from "./Versions";

export default function PipelinePage() {
  const { name = "" } = useParams();
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: pipelineKeys.one(name),
    queryFn: ({ signal }) => readPipeline(name, signal),
    refetchInterval: pollMillis.lists,
  });
  const pipeline = query.data;
  if (pipeline === undefined) {
    return <PageState title={name} error={query.error} onRetry={() => void query.refetch()} />;
  }
  return (
    <>
      <PageHeader
        title={pipeline.name}
        after={
          <>
            <Tag>{t("pipelines.versionOf", { version: pipeline.version })}</Tag>
            <PausedMark paused={pipeline.paused} />
          </>
        }
        actions={<Actions pipeline={pipeline} />}
      />
      <GlobalPause />
      {pipeline.description === "" ? null : <p className="page-lead">{pipeline.description}</p>}
      <p className="muted page-lead">
        {pipeline.updatedBy === null ? null : <>{pipeline.updatedBy} · </>}
        <Instant at={pipeline.updatedAt} />
      </p>
      <PipelineTabs pipeline={pipeline} />
    </>
  );
}

function Actions({ pipeline }: { pipeline: Pipeline }) {
  const { t } = useTranslation();
  const administers = useMay("administer");
  return (
    <>
      <StartRunButton pipeline={pipeline} />
      {administers ? (
        <>
          <KillSwitch of={{ pipeline: pipeline.name, stage: null }} paused={pipeline.paused} />
          <LinkButton icon={<EditOutlined />} to={editPipelinePath(pipeline.name)}>
            {t("common.edit")}
          </LinkButton>
          <DeletePipeline name={pipeline.name} />
        </>
      ) : null}
    </>
  );
}

function PipelineTabs({ pipeline }: { pipeline: Pipeline }) {
  const { t } = useTranslation();
  const url = useUrlFilter(["tab", "version"] as const);
  return (
    <Tabs
      activeKey={url.values.tab ?? "definition"}
      onChange={(tab) => url.set({ tab: tab === "definition" ? undefined : tab, version: undefined })}
      destroyOnHidden
      items={[
        { key: "definition", label: t("pipelines.tabs.definition"), children: <Definition pipeline={pipeline} /> },
        { key: "runs", label: t("pipelines.tabs.runs"), children: <RunsTable filter={{ pipeline: pipeline.name }} withPipeline={false} /> },
        {
          key: "versions",
          label: t("pipelines.tabs.versions"),
          children: <Versions pipeline={pipeline} shown={url.values.version} show={(version) => url.set({ version })} />,
        },
      ]}
    />
  );
}
