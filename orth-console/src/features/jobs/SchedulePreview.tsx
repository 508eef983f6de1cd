import { useQuery } from "@tanstack/react-query";
import type { FormInstance } from "antd";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Problem } from "../../api/problem";
import { noSchedule, previewSchedule, type Schedule, scheduleKeys } from "../../api/schedules";
import { formatInstant, viewerZone } from "../../lib/time";
import { useDebounced } from "../../lib/useDebounced";
import { Instant } from "../../ui/Instant";
import { ProblemText } from "../../ui/ErrorPanel";
import { showFieldErrors } from "../../ui/serverErrors";
import { fieldNames } from "./jobFields";

type Props = { schedule: Schedule | null; form: FormInstance };

/** The next fires as the server computes them, in the schedule's zone and in the viewer's. */
export function SchedulePreview({ schedule, form }: Props) {
  const { t } = useTranslation();
  const settled = useDebounced(schedule, 400);
  const asks = settled !== null && settled.type !== "NONE";
  const fires = useQuery({
    queryKey: scheduleKeys.preview(settled ?? noSchedule),
    queryFn: () => previewSchedule(settled ?? noSchedule, 10),
    enabled: asks,
    staleTime: 10_000,
  });
  const { error } = fires;
  useEffect(() => {
    if (asks && error !== null) {
      showFieldErrors(form, error, fieldNames, { focus: false });
    }
  }, [asks, error, form]);

  return (
    <aside className="preview" aria-label={t("jobForm.preview")} aria-live="polite">
      <h2>{t("jobForm.preview")}</h2>
      {settled === null || isFieldError(error) ? (
        <p className="muted">{t("jobForm.previewWait")}</p>
      ) : settled.type === "NONE" ? (
        <p className="muted">{t("jobForm.previewNone")}</p>
      ) : error !== null ? (
        <p className="danger">
          <ProblemText error={error} />
        </p>
      ) : fires.data?.times.length === 0 ? (
        <p className="muted">{t("jobForm.previewNever")}</p>
      ) : (
        <>
          <FireTable times={fires.data?.times ?? []} zone={settled.zone} />
          {fires.data?.estimated ? <p className="muted">{t("when.estimated")}</p> : null}
        </>
      )}
    </aside>
  );
}

/** Such an error stands at its field already. */
const isFieldError = (error: unknown): boolean => error instanceof Problem && error.errors.length > 0;

function FireTable({ times, zone }: { times: Date[]; zone: string | null }) {
  const { t } = useTranslation();
  const mine = viewerZone();
  const twoZones = zone !== null && zone !== mine;
  return (
    <table className="fires tabular">
      <thead>
        <tr>
          {twoZones ? <th scope="col">{t("jobForm.inZone", { zone })}</th> : null}
          <th scope="col">{t("jobForm.yours", { zone: mine })}</th>
          <th scope="col" aria-label={t("jobs.nextFire")} />
        </tr>
      </thead>
      <tbody>
        {times.map((at) => (
          <tr key={at.getTime()}>
            {twoZones ? <td>{formatInstant(at, zone)}</td> : null}
            <td>{formatInstant(at)}</td>
            <td className="muted">
              <Instant at={at} as="relative" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
