package io.orth.admin.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.Schedule;
import io.orth.admin.run.TriggerType;
import io.orth.admin.scheduling.FirePlan.Fire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares fire plans of random schedules and evaluation times with a slow, simple model. */
class FirePlanProperties {

    private static final Instant START = Instant.parse("2030-03-30T22:00:00Z");
    private static final int SEEDS = 200;

    /** One fire and when it was decided. */
    private record Seen(Fire fire, Instant at) {}

    static List<Long> seeds() {
        return new Random(20_300_101).longs(SEEDS).boxed().toList();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void fireAllFiresEachFireTimeOnce(long seed) {
        Random random = new Random(seed);
        Schedule schedule = schedule(random);
        SchedulingProperties properties = properties(random);
        Instant first = schedule.after(START).orElseThrow();
        List<Instant> looks = looks(random);

        List<Seen> seen = follow(schedule, MisfirePolicy.FIRE_ALL, first, looks, properties, new ArrayList<>());

        assertThat(seen)
                .extracting(one -> one.fire().at())
                .isEqualTo(oracle(schedule, first, looks.get(looks.size() - 1)));
        assertThat(seen).allSatisfy(one -> assertThat(one.fire().type()).isEqualTo(typeOf(one, properties)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void otherPoliciesSkipExactlyMisfires(long seed) {
        Random random = new Random(seed);
        Schedule schedule = schedule(random);
        SchedulingProperties properties = properties(random);
        Instant first = schedule.after(START).orElseThrow();
        List<Instant> looks = looks(random);

        List<Seen> all = follow(schedule, MisfirePolicy.FIRE_ALL, first, looks, properties, new ArrayList<>());
        List<Seen> skipping = follow(schedule, MisfirePolicy.DO_NOTHING, first, looks, properties, new ArrayList<>());

        assertThat(skipping)
                .containsExactlyElementsOf(all.stream()
                        .filter(one -> one.fire().type() == TriggerType.SCHEDULE)
                        .toList());
        List<Seen> once = follow(schedule, MisfirePolicy.FIRE_ONCE, first, looks, properties, new ArrayList<>());
        assertThat(once).doesNotHaveDuplicates().containsAll(skipping);
        assertThat(once).allSatisfy(one -> assertThat(one.fire().type()).isEqualTo(typeOf(one, properties)));
        long lookOfMisfires = once.stream()
                .filter(one -> one.fire().type() == TriggerType.MISFIRE)
                .map(Seen::at)
                .distinct()
                .count();
        assertThat(once).hasSize(skipping.size() + (int) lookOfMisfires);
    }

    /** Every fire time is either fired or skipped with a reason. */
    @ParameterizedTest
    @MethodSource("seeds")
    void eachFireTimeIsFiredOrSkippedWithReason(long seed) {
        for (MisfirePolicy policy : MisfirePolicy.values()) {
            Random random = new Random(seed);
            Schedule schedule = schedule(random);
            SchedulingProperties properties = SchedulingFixture.properties(
                    1_000, Duration.ofMillis(random.nextInt(20_000)), 1 + random.nextInt(20), 1 + random.nextInt(5));
            Instant first = schedule.after(START).orElseThrow();
            List<Instant> looks = looks(random);
            List<FirePlan.Skipped> skipped = new ArrayList<>();

            List<Seen> seen = follow(schedule, policy, first, looks, properties, skipped);

            List<Instant> accounted = new ArrayList<>();
            seen.forEach(one -> accounted.add(one.fire().at()));
            for (FirePlan.Skipped one : skipped) {
                List<Instant> stretch =
                        oracle(schedule, one.stretch().first(), one.stretch().last());
                assertThat(one.stretch().fires()).isEqualTo(stretch.size());
                accounted.addAll(stretch);
            }
            assertThat(accounted)
                    .containsExactlyInAnyOrderElementsOf(oracle(schedule, first, looks.get(looks.size() - 1)));
        }
    }

    private static TriggerType typeOf(Seen seen, SchedulingProperties properties) {
        Duration late = Duration.between(seen.fire().at(), seen.at());
        return late.compareTo(properties.misfireAfter()) > 0 ? TriggerType.MISFIRE : TriggerType.SCHEDULE;
    }

    /** At each evaluation time, runs passes until nothing is due, as the scanner does. */
    private static List<Seen> follow(
            Schedule schedule,
            MisfirePolicy policy,
            Instant first,
            List<Instant> looks,
            SchedulingProperties properties,
            List<FirePlan.Skipped> skipped) {
        List<Seen> seen = new ArrayList<>();
        Instant due = first;
        int caughtUp = 0;
        for (Instant look : looks) {
            while (due != null && !due.isAfter(look)) {
                FirePlan plan = FirePlan.of(new FirePlan.Planned(schedule, policy, due, caughtUp), look, properties);
                caughtUp = plan.caughtUp();
                plan.skipped().forEach(skipped::add);
                plan.fires().forEach(fire -> seen.add(new Seen(fire, look)));
                assertThat(plan.next() == null || plan.next().isAfter(due)).isTrue();
                due = plan.next();
            }
        }
        return seen;
    }

    private static List<Instant> oracle(Schedule schedule, Instant first, Instant last) {
        List<Instant> all = new ArrayList<>();
        for (Instant at = first;
                at != null && !at.isAfter(last);
                at = schedule.after(at).orElse(null)) {
            all.add(at);
        }
        return all;
    }

    private static List<Instant> looks(Random random) {
        List<Instant> looks = new ArrayList<>();
        Instant now = START;
        int most = random.nextBoolean() ? 2_000 : 60_000;
        for (int i = 0; i < 40; i++) {
            now = now.plusMillis(random.nextInt(most));
            looks.add(now);
        }
        return looks;
    }

    private static Schedule schedule(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> new Schedule.FixedRate(Duration.ofMillis(100 + random.nextInt(30_000)));
            case 1 -> new Schedule.Cron("%d/%d * * * * ?".formatted(random.nextInt(60), 1 + random.nextInt(59)), "UTC");
            case 2 -> new Schedule.Cron("%d * * * * ?".formatted(random.nextInt(60)), "Europe/Berlin");
            default -> new Schedule.Cron("0 %d/%d * * * ?".formatted(random.nextInt(5), 1 + random.nextInt(7)), "UTC");
        };
    }

    private static SchedulingProperties properties(Random random) {
        return SchedulingFixture.properties(
                1_000, Duration.ofMillis(random.nextInt(20_000)), 1 + random.nextInt(20), 1_000_000);
    }
}
