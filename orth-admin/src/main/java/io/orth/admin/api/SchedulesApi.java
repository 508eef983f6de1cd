package io.orth.admin.api;

import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoint that previews schedules before they belong to a job. */
@RestController
@RequestMapping("/api/schedules")
class SchedulesApi {

    private static final int DEFAULT_COUNT = 10;
    private static final int MOST = 100;

    private final Clock clock;

    SchedulesApi(Clock clock) {
        this.clock = clock;
    }

    record PreviewBody(ScheduleBody schedule, Integer count) {}

    /** Next fire times; {@code estimated} if they also depend on the duration of runs. */
    record Preview(List<Instant> times, boolean estimated) {}

    /** Returns the next fire times. Changes nothing, so viewers may call it. */
    @PostMapping("/preview")
    @Access(value = Role.VIEWER, audited = Access.Audited.NEVER)
    Preview preview(@RequestBody PreviewBody body) {
        ScheduleBody planned = ProblemField.required("schedule", body.schedule());
        int count = body.count() == null ? DEFAULT_COUNT : body.count();
        if (count < 1 || count > MOST) {
            throw OrthException.invalid("count", "must be a number from 1 to " + MOST);
        }
        Schedule schedule = planned.toSchedule();
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        List<Instant> times = Stream.iterate(
                        schedule.after(now), Optional::isPresent, time -> time.flatMap(schedule::after))
                .limit(count)
                .map(Optional::orElseThrow)
                .toList();
        return new Preview(times, schedule.awaitsRuns());
    }
}
