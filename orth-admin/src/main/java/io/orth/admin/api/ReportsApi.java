package io.orth.admin.api;

import io.orth.admin.history.RunReports;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.run.RunStatus;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Endpoint for the outcomes of runs per day. */
@RestController
class ReportsApi {

    private static final int DAYS_UNASKED = 30;
    private static final int MOST_DAYS = 400;

    private final RunReports reports;
    private final Clock clock;

    ReportsApi(RunReports reports, Clock clock) {
        this.reports = reports;
        this.clock = clock;
    }

    /**
     * Outcomes of runs.
     *
     * @param open current number of unfinished runs, across all groups
     * @param days each requested day, oldest first
     */
    record ReportView(String zone, long open, List<DayView> days) {}

    /**
     * Outcomes of one day.
     *
     * @param skipped runs that the block strategy DISCARD skipped; neither a success nor a failure
     * @param averageMillis average time from trigger to finish; null if no run finished
     */
    record DayView(
            LocalDate day,
            long success,
            long failed,
            long timeout,
            long triggerFailed,
            long skipped,
            Long averageMillis) {

        static DayView of(RunReports.Day day) {
            return new DayView(
                    day.day(),
                    count(day, RunStatus.SUCCESS),
                    count(day, RunStatus.FAILED),
                    count(day, RunStatus.TIMEOUT),
                    count(day, RunStatus.TRIGGER_FAILED),
                    count(day, RunStatus.SKIPPED),
                    day.total() == 0 ? null : day.millis() / day.total());
        }

        private static long count(RunReports.Day day, RunStatus status) {
            return day.runs().getOrDefault(status, 0L);
        }
    }

    @GetMapping("/api/reports/runs")
    @Access(Role.VIEWER)
    ReportView runs(
            @RequestParam(required = false) String from,
            @RequestParam(required = false) String to,
            @RequestParam(required = false) String zone,
            @RequestParam(required = false) String groupId) {
        ZoneId in = parseZone(zone);
        LocalDate last = parseDay("to", to, LocalDate.ofInstant(clock.instant(), in));
        LocalDate first = parseDay("from", from, last.minusDays(DAYS_UNASKED - 1));
        if (last.isBefore(first)) {
            throw OrthException.invalid("to", "must not be before from");
        }
        if (ChronoUnit.DAYS.between(first, last) >= MOST_DAYS) {
            throw OrthException.invalid("from", "must be within %d days of to".formatted(MOST_DAYS));
        }
        List<DayView> days = reports.byDay(first, last, in, Ids.parseOptionalInt("groupId", groupId)).stream()
                .map(DayView::of)
                .toList();
        return new ReportView(in.getId(), reports.open(), days);
    }

    private static LocalDate parseDay(String field, String text, LocalDate unasked) {
        if (text == null || text.isBlank()) {
            return unasked;
        }
        try {
            LocalDate day = LocalDate.parse(text.strip());
            if (day.getYear() >= 1970 && day.getYear() <= 9999) {
                return day;
            }
        } catch (DateTimeException e) {
            // Rejected below, like a day outside the range that databases store.
        }
        throw OrthException.invalid(field, "is not a day such as 2026-01-31");
    }

    private static ZoneId parseZone(String text) {
        if (text == null || text.isBlank()) {
            return ZoneId.of("UTC");
        }
        String name = text.strip();
        if (!ZoneId.getAvailableZoneIds().contains(name)) {
            throw OrthException.invalid("zone", "is not a time zone such as Europe/Berlin");
        }
        return ZoneId.of(name);
    }
}
