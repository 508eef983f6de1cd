package io.orth.admin.xxlimport;

import io.orth.admin.job.AfterRun;
import io.orth.admin.job.Execution;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.RouteStrategy;
import io.orth.admin.job.Routing;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.GlueType;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Maps XXL-JOB jobs to Orth jobs. Records unsupported settings in the draft. Throws if a setting that determines what runs or when is
 * unsupported.
 */
final class JobMapper {

    /** XXL-JOB's monitor retries failed runs every 10 s. */
    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(10), 1, Duration.ofSeconds(10), 0);

    private static final int DAY_OF_MONTH_FIELD = 3;

    private static final Map<String, MisfirePolicy> MISFIRE =
            Map.of("DO_NOTHING", MisfirePolicy.DO_NOTHING, "FIRE_ONCE_NOW", MisfirePolicy.FIRE_ONCE);

    private static final Map<String, RouteStrategy> OTHER_ROUTE_NAMES = Map.of(
            "LEAST_FREQUENTLY_USED", RouteStrategy.LFU,
            "LEAST_RECENTLY_USED", RouteStrategy.LRU);

    private final String zone;
    private final Clock clock;

    /** {@code zone} is the zone of the XXL-JOB admin, because its cron expressions contain none. */
    JobMapper(String zone, Clock clock) {
        this.zone = zone;
        this.clock = clock;
    }

    /** Maps the job; throws if it cannot be created. If {@code own} is false, the job gets no schedule and is fired only by other jobs. */
    JobSpec map(XxlJobRows.Job row, String name, GroupTarget group, boolean own, EntryDraft draft) {
        GlueType glue = glue(row.what().glueType());
        if (!row.about().alarmMail().isBlank()) {
            draft.notMapped("alarm mail to %s: make an alarm channel for it"
                    .formatted(Text.line(row.about().alarmMail(), 255)));
        }
        return new JobSpec(
                name,
                group.id() == null ? 0 : group.id(),
                glue == GlueType.BEAN ? row.what().handler() : null,
                row.what().param(),
                own ? schedule(row.schedule(), draft::changed) : unscheduled(row.schedule()),
                misfire(row.schedule(), draft),
                new Execution(
                        block(row.how().block(), draft),
                        1,
                        Math.max(0, row.how().timeoutSeconds()),
                        glue),
                new Routing(route(row.how().route(), draft), group.addresses()));
    }

    /** Converts XXL-JOB's number of retries to Orth's number of attempts. */
    RetryPolicy retries(XxlJobRows.Job row, EntryDraft draft) {
        int retries = Math.max(0, row.how().retries());
        if (retries == 0) {
            return AfterRun.NO_RETRIES;
        }
        if (retries >= RetryPolicy.MAX_ATTEMPTS) {
            draft.changed("%d retries are %d attempts here".formatted(retries, RetryPolicy.MAX_ATTEMPTS));
        }
        return new RetryPolicy(Math.min(retries, RetryPolicy.MAX_ATTEMPTS - 1) + 1, BACKOFF);
    }

    private static GlueType glue(String type) {
        return Arrays.stream(GlueType.values())
                .filter(known -> known.name().equals(type))
                .findFirst()
                .orElseThrow(() -> OrthException.invalid("glue_type", "is not known: " + Text.shown(type)));
    }

    /** Validates the schedule like {@link #schedule}: a row that cannot be read is not imported. */
    private Schedule unscheduled(XxlJobRows.Schedule row) {
        schedule(row, remark -> {});
        return new Schedule.None();
    }

    private Schedule schedule(XxlJobRows.Schedule row, Consumer<String> remarks) {
        return switch (row.type()) {
            case "NONE" -> new Schedule.None();
            case "CRON" -> cron(row.conf(), remarks);
            case "FIX_RATE" -> new Schedule.FixedRate(seconds(row.conf()));
            case "FIX_DELAY" -> new Schedule.FixedDelay(seconds(row.conf()));
            default -> throw OrthException.invalid("schedule_type", "is not known: " + Text.shown(row.type()));
        };
    }

    private Schedule cron(String expression, Consumer<String> remarks) {
        Schedule.Cron cron = new Schedule.Cron(expression, zone);
        String[] fields = cron.expression().split("\\s+", -1);
        if (fields[DAY_OF_MONTH_FIELD].matches(".*[LWlw].*")) {
            remarks.accept("fires in every month: XXL-JOB 3.1 to 3.3 left out short ones for %s"
                    .formatted(fields[DAY_OF_MONTH_FIELD]));
        }
        if (cron.after(clock.instant()).isEmpty()) {
            remarks.accept("has no fire time left: it needs another schedule before it can be started");
        }
        return cron;
    }

    private static Duration seconds(String conf) {
        String text = conf.strip();
        if (!text.matches("[0-9]{1,9}")) {
            throw OrthException.invalid("schedule_conf", "must be seconds, got " + Text.shown(conf));
        }
        return Duration.ofSeconds(Integer.parseInt(text));
    }

    private static MisfirePolicy misfire(XxlJobRows.Schedule row, EntryDraft draft) {
        MisfirePolicy policy = MISFIRE.get(row.misfire());
        if (policy == null && !row.misfire().isEmpty()) {
            draft.changed("misfire strategy '%s' is not known: DO_NOTHING".formatted(Text.shown(row.misfire())));
        }
        return policy == null ? MisfirePolicy.DO_NOTHING : policy;
    }

    private static BlockStrategy block(String name, EntryDraft draft) {
        BlockStrategy strategy = BlockStrategy.ofWireName(name);
        if (!strategy.wireName().equals(name) && strategy == BlockStrategy.SERIAL) {
            draft.changed("block strategy '%s' is not known: SERIAL".formatted(Text.shown(name)));
        }
        return strategy;
    }

    private static RouteStrategy route(String name, EntryDraft draft) {
        RouteStrategy other = OTHER_ROUTE_NAMES.get(name);
        if (other != null) {
            return other;
        }
        return Arrays.stream(RouteStrategy.values())
                .filter(strategy -> strategy.name().equals(name))
                .findFirst()
                .orElseGet(() -> {
                    draft.changed(
                            "routing '%s' is not known: %s".formatted(Text.shown(name), Routing.DEFAULT.strategy()));
                    return Routing.DEFAULT.strategy();
                });
    }
}
