/** English texts of reports. */
export const enReports = {
  reports: {
    title: "Reports",
    range: "Range",
    lastDays_one: "Last day",
    lastDays_other: "Last {{count}} days",
    ended: "Runs that ended",
    failed: "Of them unsuccessful",
    open: "Open now, all groups",
    zone: "Days in",
    day: "Day",
    average: "Average duration",
    most_one: "at most {{count}} run a day",
    most_other: "at most {{count}} runs a day",
    dayWords: "{{ended}} ended, {{failed}} of them unsuccessful",
    empty: "No run has ended in this time",
    emptyHint: "Runs are counted when they end.",
  },
} as const;
