import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { TableColumnsType } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { failuresOf, type ReportDay, reportKeys, reportRuns, totalOf } from "../../api/reports";
import { elapsed } from "../../lib/duration";
import { dayIn, viewerZone } from "../../lib/time";
import { useNow } from "../../lib/useNow";
import { useUrlFilter } from "../../lib/useUrlFilter";
import { DataTable, EmptyList } from "../../ui/DataTable";
import { Fact, Facts } from "../../ui/Facts";
import { FilterBar, SelectFilter } from "../../ui/FilterBar";
import { GroupFilter } from "../../ui/GroupFilter";
import { PageHeader } from "../../ui/PageHeader";
import { DayBars } from "./DayBars";

const ranges = ["7", "30", "90"] as const;
const usualRange = "30";
const dayMillis = 86_400_000;

export default function ReportsPage() {
  const { t, i18n } = useTranslation();
  const filter = useUrlFilter(["days", "groupId"] as const);
  const columns = useDayColumns();
  const range = ranges.find((each) => each === filter.values.days) ?? usualRange;
  const zone = viewerZone();
  const now = useNow();
  const asked = { from: dayIn(new Date(now.getTime() - (Number(range) - 1) * dayMillis), zone), zone, groupId: filter.values.groupId };
  const report = useQuery({
    queryKey: reportKeys.runs(asked),
    queryFn: ({ signal }) => reportRuns(asked, signal),
    refetchInterval: 10_000,
    placeholderData: keepPreviousData,
  });
  const days = report.data?.days;
  const count = new Intl.NumberFormat(i18n.language);
  const total = sum(days, totalOf);
  const failures = sum(days, failuresOf);
  const isEmpty = total + sum(days, ({ skipped }) => skipped) === 0;
  return (
    <>
      <PageHeader title={t("reports.title")} />
      <FilterBar>
        <SelectFilter
          label={t("reports.range")}
          value={range}
          onChange={(next) => filter.set({ days: next })}
          options={ranges.map((each) => ({ value: each, label: t("reports.lastDays", { count: Number(each) }) }))}
        />
        <GroupFilter value={filter.values.groupId} onChange={(groupId) => filter.set({ groupId })} />
      </FilterBar>
      {report.data === undefined ? null : (
        <Facts>
          <Fact name={t("reports.ended")}>{count.format(total)}</Fact>
          <Fact name={t("reports.failed")}>
            {count.format(failures)} ({total === 0 ? 0 : Number(((100 * failures) / total).toFixed(1))} %)
          </Fact>
          <Fact name={t("reports.open")}>
            <Link to="/runs?status=PENDING">{count.format(report.data.open)}</Link>
          </Fact>
          <Fact name={t("reports.zone")}>{report.data.zone}</Fact>
        </Facts>
      )}
      {days === undefined || total === 0 ? null : <DayBars days={days} />}
      <DataTable
        label={t("reports.title")}
        columns={columns}
        rowKey={(day) => day.day}
        rows={isEmpty && days !== undefined ? [] : days?.toReversed()}
        error={report.error}
        onRetry={() => void report.refetch()}
        empty={<EmptyList filtered={!filter.isEmpty} onClear={filter.clear} title={t("reports.empty")} hint={t("reports.emptyHint")} />}
      />
    </>
  );
}

const sum = (days: ReportDay[] | undefined, amount: (day: ReportDay) => number): number =>
  (days ?? []).reduce((before, day) => before + amount(day), 0);

function useDayColumns(): TableColumnsType<ReportDay> {
  const { t, i18n } = useTranslation();
  return useMemo(() => {
    const count = new Intl.NumberFormat(i18n.language);
    const counted = (key: "success" | "failed" | "timeout" | "triggerFailed" | "skipped", title: string) => ({
      key,
      title,
      align: "right" as const,
      render: (_: unknown, day: ReportDay) => <span className={day[key] === 0 ? "muted tabular" : "tabular"}>{count.format(day[key])}</span>,
    });
    return [
      { key: "day", title: t("reports.day"), render: (_, day) => <span className="tabular">{day.day}</span> },
      counted("success", t("status.SUCCESS")),
      counted("failed", t("status.FAILED")),
      counted("timeout", t("status.TIMEOUT")),
      counted("triggerFailed", t("status.TRIGGER_FAILED")),
      counted("skipped", t("status.SKIPPED")),
      {
        key: "average",
        title: t("reports.average"),
        align: "right",
        render: (_, day) => (day.averageMillis === null ? t("common.none") : elapsed(day.averageMillis)),
      },
    ];
  }, [t, i18n.language]);
}
