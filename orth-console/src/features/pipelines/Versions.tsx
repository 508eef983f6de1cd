import { useQuery } from "@tanstack/react-query";
import { Button, Drawer, type TableColumnsType, Tag } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { listPipelineVersions, type Pipeline, pipelineKeys, type PipelineVersion } from "../../api/pipelines";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { Instant } from "../../ui/Instant";
import { StagesTable } from "./StagesTable";

type Props = { pipeline: Pipeline; shown: string | undefined; show: (version: string | undefined) => void };

/** Every version there was; the one in the address is shown with its stages. */
export function Versions({ pipeline, shown, show }: Props) {
  const { t } = useTranslation();
  const versions = useQuery({
    queryKey: [...pipelineKeys.versions(pipeline.name), pipeline.version],
    queryFn: ({ signal }) => listPipelineVersions(pipeline.name, signal),
  });
  const open = versions.data?.find((each) => String(each.version) === shown);
  const columns = useMemo(
    (): TableColumnsType<PipelineVersion> => [
      {
        key: "version",
        title: t("pipelines.version"),
        render: (_, each) => (
          <span className="last-run">
            <Button type="link" size="small" aria-label={t("pipelines.showVersion", { version: each.version })} onClick={() => show(String(each.version))}>
              {each.version}
            </Button>
            {each.version === pipeline.version ? <Tag color="blue">{t("pipelines.current")}</Tag> : null}
          </span>
        ),
      },
      { key: "stages", title: t("pipelines.stages"), render: (_, each) => each.stages.map((stage) => stage.name).join(" → ") },
      { key: "description", title: t("pipelines.description"), render: (_, each) => <span className="clip">{each.description || t("common.none")}</span> },
      { key: "by", title: t("pipelines.by"), render: (_, each) => each.createdBy ?? t("common.none") },
      { key: "at", title: t("common.created"), render: (_, each) => <Instant at={each.createdAt} /> },
    ],
    [t, pipeline.version, show],
  );
  return (
    <>
      <DataTable
        label={t("pipelines.tabs.versions")}
        columns={columns}
        rowKey={(each) => String(each.version)}
        rows={versions.data}
        error={versions.error}
        onRetry={() => void versions.refetch()}
        empty={<EmptyList filtered={false} title={t("pipelines.noVersions")} />}
      />
      <Drawer
        open={open !== undefined}
        size={1100}
        title={t("pipelines.versionTitle", { name: pipeline.name, version: shown ?? "" })}
        onClose={() => show(undefined)}
        destroyOnHidden
      >
        {open === undefined ? null : (
          <>
            {open.description === "" ? null : <p className="page-lead">{open.description}</p>}
            <StagesTable stages={open.stages} />
          </>
        )}
      </Drawer>
    </>
  );
}
