import { PlusOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { listPipelineRuns, pipelineRunKeys } from "../../api/pipelineRuns";
import { isHeld } from "../../api/pipelines";
import { pollMillis } from "../../lib/queryClient";
import { useUrlFilter } from "../../lib/useUrlFilter";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { FilterBar, TextFilter } from "../../ui/FilterBar";
import { LinkButton } from "../../ui/LinkButton";
import { PageHeader } from "../../ui/PageHeader";
import { useMay } from "../auth/session";
import { GlobalPause, usePipelines } from "./GlobalPause";
import { KillSwitch } from "./KillSwitch";
import { ParkedNotice } from "./outbox/ParkedNotice";
import { newPipelinePath, outboxPath } from "./paths";
import { usePipelineColumns } from "./pipelineColumns";

export default function PipelinesPage() {
  const { t } = useTranslation();
  const administers = useMay("administer");
  const filter = useUrlFilter(["q"] as const);
  const pipelines = usePipelines();
  const latest = useQuery({
    queryKey: pipelineRunKeys.latest,
    queryFn: ({ signal }) => listPipelineRuns({}, null, signal),
    refetchInterval: pollMillis.lists,
  });
  const columns = usePipelineColumns(latest.data?.items);
  const wanted = (filter.values.q ?? "").toLowerCase();
  const newButton = administers ? (
    <LinkButton type="primary" icon={<PlusOutlined />} to={newPipelinePath}>
      {t("pipelines.new")}
    </LinkButton>
  ) : undefined;
  return (
    <>
      <PageHeader title={t("pipelines.title")} actions={<Actions paused={pipelines.data?.paused}>{newButton}</Actions>} />
      <GlobalPause />
      <ParkedNotice />
      <FilterBar>
        <TextFilter label={t("pipelines.search")} value={filter.values.q} onChange={(q) => filter.set({ q })} />
      </FilterBar>
      <DataTable
        label={t("pipelines.title")}
        columns={columns}
        rowKey={(pipeline) => pipeline.name}
        rows={pipelines.data?.items.filter((pipeline) => pipeline.name.toLowerCase().includes(wanted))}
        error={pipelines.error}
        onRetry={() => void pipelines.refetch()}
        empty={
          <EmptyList
            filtered={!filter.isEmpty}
            onClear={filter.clear}
            title={t("pipelines.empty")}
            hint={t("pipelines.emptyHint")}
            action={newButton}
          />
        }
        rowClassName={(pipeline) => (isHeld(pipeline) ? "row-paused" : "")}
      />
    </>
  );
}

/** The switch of everything is here while it is not thrown; once it is, it stands with the notice. */
function Actions({ paused, children }: { paused: boolean | undefined; children: React.ReactNode }) {
  const { t } = useTranslation();
  const administers = useMay("administer");
  return (
    <>
      <LinkButton to={outboxPath}>{t("outbox.title")}</LinkButton>
      {administers && paused === false ? <KillSwitch of={{ pipeline: null, stage: null }} paused={false} /> : null}
      {children}
    </>
  );
}
