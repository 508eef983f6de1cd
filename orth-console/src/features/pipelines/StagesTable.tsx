import type { TableColumnsType } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { LiveStage, Stage } from "../../api/pipelines";
import { BackoffWords } from "../../ui/BackoffWords";
import { DataTable } from "../../ui/DataTable";
import { useMay } from "../auth/session";
import { KillSwitch } from "./KillSwitch";
import { PausedMark } from "./pipelineLook";
import { DestinationCell, ToleranceText } from "./StageCells";

type Row = Stage & { place: number; paused: boolean };

type Props = {
  stages: (Stage | LiveStage)[];
  /** Whose stages they are now; left out for those of the past, which have no switches. */
  pipeline?: string;
};

/** The stages in their order: who does them, how often, how many at once, and how much may fail. */
export function StagesTable({ stages, pipeline }: Props) {
  const { t } = useTranslation();
  const columns = useStageColumns(pipeline);
  const rows = stages.map((stage, index): Row => ({ ...stage, place: index + 1, paused: "paused" in stage && stage.paused }));
  return (
    <DataTable
      label={t("pipelines.stages")}
      columns={columns}
      rowKey={(stage) => stage.name}
      rows={rows}
      error={null}
      onRetry={() => undefined}
      empty={null}
      rowClassName={(stage) => (stage.paused ? "row-paused" : "")}
    />
  );
}

function useStageColumns(pipeline: string | undefined): TableColumnsType<Row> {
  const { t, i18n } = useTranslation();
  const administers = useMay("administer");
  return useMemo(() => {
    const { format } = new Intl.NumberFormat(i18n.language);
    const columns: TableColumnsType<Row> = [
      { key: "name", title: t("stages.name"), render: (_, stage) => <NameCell stage={stage} /> },
      { key: "handler", title: t("stages.handler"), render: (_, stage) => <span className="mono clip" title={stage.handler}>{stage.handler}</span> },
      { key: "queue", title: t("stages.destination"), render: (_, stage) => <DestinationCell stage={stage} /> },
      { key: "attempts", title: t("retry.maxAttempts"), align: "right", render: (_, stage) => <span className="tabular">{format(stage.maxAttempts)}</span> },
      { key: "backoff", title: t("retry.backoff"), render: (_, stage) => <BackoffWords policy={stage} /> },
      {
        key: "concurrency",
        title: t("stages.concurrency"),
        align: "right",
        render: (_, stage) => (stage.concurrency === null ? <span className="muted">{t("queueForm.noLimit")}</span> : <span className="tabular">{format(stage.concurrency)}</span>),
      },
      { key: "tolerance", title: t("stages.mayFail"), render: (_, stage) => <ToleranceText tolerance={stage.tolerance} /> },
    ];
    if (administers && pipeline !== undefined) {
      columns.push({
        key: "actions",
        title: <span className="off-screen">{t("common.actions")}</span>,
        align: "right",
        render: (_, stage) => <KillSwitch of={{ pipeline, stage: stage.name }} paused={stage.paused} small />,
      });
    }
    return columns;
  }, [t, i18n.language, administers, pipeline]);
}

function NameCell({ stage }: { stage: Row }) {
  return (
    <span className="last-run">
      <span className="muted tabular">{stage.place}</span>
      <span className="strong">{stage.name}</span>
      <PausedMark paused={stage.paused} />
    </span>
  );
}
