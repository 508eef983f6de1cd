import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Clipped } from "../../ui/Clipped";
import type { Glue } from "../../api/execution";

type Props = {
  of: { handler: string | null; glue: Glue | null };
  /** Links a run's version to the texts that its job keeps. */
  jobId?: string;
};

/** The handler's name, or the language and version of the source. */
export function WhatRuns({ of, jobId }: Props) {
  const { t } = useTranslation();
  if (of.glue === null) {
    return <Clipped className="mono" text={of.handler ?? ""} />;
  }
  const words = t("execution.version", { type: t(`execution.glue.${of.glue.type}`), version: of.glue.version });
  return jobId === undefined ? <span>{words}</span> : <Link to={`/jobs/${jobId}?source=${of.glue.version}`}>{words}</Link>;
}
