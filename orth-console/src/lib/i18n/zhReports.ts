import type { Messages } from "./messages";

/** Chinese texts of reports. */
export const zhReports: Messages["reports"] = {
  reports: {
    title: "报表",
    range: "时间范围",
    lastDays_other: "最近 {{count}} 天",
    ended: "已结束的运行",
    failed: "其中未成功",
    open: "当前未结束（所有分组）",
    zone: "日期所用时区",
    day: "日期",
    average: "平均耗时",
    most_other: "单日最多 {{count}} 次运行",
    dayWords: "结束 {{ended}} 次，其中未成功 {{failed}} 次",
    empty: "这段时间内没有运行结束",
    emptyHint: "运行在结束时计入统计。",
  },
};
