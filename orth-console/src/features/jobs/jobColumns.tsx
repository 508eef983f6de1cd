import type { TableColumnsType } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Job } from "../../api/jobs";
import { Clipped } from "../../ui/Clipped";
import { Instant } from "../../ui/Instant";
import { StatusTag } from "../../ui/runStatus";
import { useMay } from "../auth/session";
import { DeclarationTag } from "./DeclarationTag";
import { EnabledSwitch } from "./EnabledSwitch";
import { JobActions } from "./JobActions";
import { WhatRuns } from "./WhatRuns";
import { ScheduleText } from "./ScheduleText";

/** The narrowest that the list of jobs is drawn. */
export const jobsMinWidth = 640;

export function useJobColumns(): TableColumnsType<Job> {
  const { t } = useTranslation();
  const operates = useMay("operate");
  return useMemo(() => {
    const columns: TableColumnsType<Job> = [
      {
        key: "name",
        title: t("jobs.name"),
        render: (_, job) => (
          <span className="last-run">
            <Clipped className="strong" text={job.name} to={`/jobs/${job.id}`} />
            <DeclarationTag of={job.declaration} />
          </span>
        ),
      },
      { key: "group", title: t("jobs.group"), responsive: ["lg"], width: "8%", render: (_, job) => <Clipped text={job.groupName} /> },
      {
        key: "handler",
        title: t("jobs.handler"),
        responsive: ["xl"],
        width: "13%",
        render: (_, job) => <WhatRuns of={job} />,
      },
      { key: "schedule", title: t("jobs.schedule"), responsive: ["sm"], width: "18%", render: (_, job) => <ScheduleText schedule={job.schedule} /> },
      {
        key: "next",
        title: t("jobs.nextFire"),
        responsive: ["md"],
        width: 100,
        render: (_, job) =>
          job.nextFireAt === null && !job.enabled ? (
            <span className="muted">{t("jobs.paused")}</span>
          ) : (
            <Instant at={job.nextFireAt} as="relative" />
          ),
      },
      { key: "last", title: t("jobs.lastRun"), width: 214, render: (_, job) => <LastRunCell job={job} /> },
      { key: "enabled", title: t("jobs.enabled"), align: "center", width: 80, render: (_, job) => <EnabledSwitch job={job} /> },
    ];
    if (operates) {
      columns.push({
        key: "actions",
        title: <span className="off-screen">{t("common.actions")}</span>,
        align: "right",
        width: 104,
        render: (_, job) => <JobActions job={job} />,
      });
    }
    return columns;
  }, [t, operates]);
}

function LastRunCell({ job }: { job: Job }) {
  const { t } = useTranslation();
  if (job.lastRun === null) {
    return <span className="muted">{t("jobs.neverRan")}</span>;
  }
  return (
    <span className="last-run">
      <Link to={`/runs/${job.lastRun.id}`}>
        <StatusTag of={job.lastRun} />
      </Link>
      <span className="muted small wide-only">
        <Instant at={job.lastRun.at} as="relative" />
      </span>
    </span>
  );
}
