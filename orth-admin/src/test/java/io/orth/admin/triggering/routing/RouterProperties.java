package io.orth.admin.triggering.routing;

import static io.orth.admin.triggering.routing.RoutingFixture.executors;
import static io.orth.admin.triggering.routing.RoutingFixture.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import io.orth.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Properties of the route strategies for any number of executors and any history. */
class RouterProperties {

    private final ManualClock clock = ManualClock.at("2030-01-01T12:00:00Z");
    private final Uses uses = new Uses(null, clock);

    static Stream<Long> seeds() {
        return new Random(20_300_102).longs(100).boxed();
    }

    private Stream<Router> routersThatTryAll() {
        return Stream.of(
                Routers.first(),
                Routers.last(),
                Routers.round(new Turns(null)),
                Routers.random(),
                Routers.byShard(),
                Routers.consistentHash(),
                Routers.leastFrequent(uses),
                Routers.leastRecent(uses));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 100})
    void triesEachExecutorOnce(int size) {
        routersThatTryAll().forEach(router -> {
            Set<Target> tried = new HashSet<>();
            for (int i = 0; i < size; i++) {
                Target picked = pick(router, run(4, 17, 5L), executors(size), target -> !tried.contains(target));
                assertThat(tried.add(picked)).isTrue();
            }
            assertThat(router.pick(run(4, 17, 5L), executors(size), target -> !tried.contains(target)))
                    .isEmpty();
        });
    }

    @Test
    void firstAndLastPickEndsOfList() {
        assertThat(pick(Routers.first(), run(1, 1, 0L), executors(5), RouterProperties::any))
                .isEqualTo(RoutingFixture.executor(0));
        assertThat(pick(Routers.last(), run(1, 1, 0L), executors(5), RouterProperties::any))
                .isEqualTo(RoutingFixture.executor(4));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void roundMeetsEachExecutorOncePerCycle(long seed) {
        Random random = new Random(seed);
        int size = 1 + random.nextInt(20);
        int job = 1 + random.nextInt(Integer.MAX_VALUE);
        long from = random.nextLong(Long.MAX_VALUE / 2);
        Router round = Routers.round(new Turns(null));

        List<Target> picked = LongStream.range(from, from + size)
                .mapToObj(turn -> pick(round, run(job, turn, turn), executors(size), RouterProperties::any))
                .toList();

        assertThat(picked).containsExactlyInAnyOrderElementsOf(executors(size));
    }

    @Test
    void roundSpreadsRunsWithoutTurnEvenly() {
        Router round = Routers.round(new Turns(null));

        Map<Target, Integer> counts = counts(round, 1_000, 7, null);

        assertThat(counts.values()).allSatisfy(count -> assertThat(count).isBetween(142, 143));
    }

    @Test
    void roundSpreadsFirstFiresOfManyJobs() {
        Router round = Routers.round(new Turns(null));
        Map<Target, Integer> counts = new HashMap<>();
        for (int job = 1; job <= 700; job++) {
            counts.merge(pick(round, run(job, job, 0L), executors(7), RouterProperties::any), 1, Integer::sum);
        }

        assertThat(counts.values()).containsOnly(100);
    }

    @Test
    void roundPicksNextAfterRejection() {
        Router round = Routers.round(new Turns(null));
        Target first = pick(round, run(1, 1, 2L), executors(4), RouterProperties::any);

        Target next = pick(round, run(1, 1, 2L), executors(4), target -> !target.equals(first));

        assertThat(first).isEqualTo(RoutingFixture.executor(3));
        assertThat(next).isEqualTo(RoutingFixture.executor(0));
    }

    @Test
    void randomSpreadsRunsEvenly() {
        Map<Target, Integer> counts = counts(Routers.random(), 100_000, 10, null);

        assertThat(counts.values())
                .hasSize(10)
                .allSatisfy(count -> assertThat(count).isBetween(9_500, 10_500));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void consistentHashMovesOnlyJobsOfLeavingExecutor(long seed) {
        Random random = new Random(seed);
        List<Target> before = executors(2 + random.nextInt(20));
        Target leaving = before.get(random.nextInt(before.size()));
        List<Target> after = new ArrayList<>(before);
        after.remove(leaving);
        Collections.shuffle(after, random);
        Router hash = Routers.consistentHash();

        for (int job = 1; job <= 200; job++) {
            Target home = pick(hash, run(job, random.nextLong(), (Long) null), before, RouterProperties::any);
            Target then = pick(hash, run(job, random.nextLong(), (Long) null), after, RouterProperties::any);
            if (home.equals(leaving)) {
                assertThat(then)
                        .as("where a run goes that its home does not take")
                        .isEqualTo(pick(hash, run(job, 1, 1L), before, target -> !target.equals(leaving)));
            } else {
                assertThat(then).isEqualTo(home);
            }
        }
    }

    @Test
    void consistentHashSpreadsJobsEvenly() {
        Map<Target, Integer> counts = new HashMap<>();
        for (int job = 1; job <= 10_000; job++) {
            counts.merge(
                    pick(Routers.consistentHash(), run(job, 1, 0L), executors(10), RouterProperties::any),
                    1,
                    Integer::sum);
        }

        assertThat(counts.values())
                .hasSize(10)
                .allSatisfy(count -> assertThat(count).isBetween(850, 1_150));
    }

    @Test
    void consistentHashIsStableAcrossVersions() {
        assertThat(LongStream.rangeClosed(1, 8)
                        .map(job -> pick(
                                        Routers.consistentHash(),
                                        run((int) job, 1, 0L),
                                        executors(5),
                                        RouterProperties::any)
                                .executorId()))
                .containsExactly(2L, 2L, 1L, 4L, 2L, 4L, 0L, 4L);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void leastFrequentPicksExecutorWithFewestRuns(long seed) {
        Random random = new Random(seed);
        List<Target> all = executors(2 + random.nextInt(8));
        Router router = Routers.leastFrequent(uses);
        Map<Target, Integer> counts = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            boolean someoneIsAway = i >= all.size() && random.nextInt(4) == 0;
            Set<Target> away = someoneIsAway ? Set.of(all.get(random.nextInt(all.size()))) : Set.of();
            int fewest = all.stream()
                    .filter(target -> !away.contains(target))
                    .mapToInt(target -> counts.getOrDefault(target, 0))
                    .min()
                    .orElseThrow();

            Target picked = pick(router, run(1, i, (Long) null), all, target -> !away.contains(target));

            assertThat(counts.merge(picked, 1, Integer::sum)).isEqualTo(fewest + 1);
            clock.advance(Duration.ofMillis(random.nextInt(3)));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void leastRecentPicksExecutorUsedLongestAgo(long seed) {
        Random random = new Random(seed);
        List<Target> all = executors(2 + random.nextInt(8));
        Router router = Routers.leastRecent(uses);
        List<Target> eldestFirst = new ArrayList<>(all);
        for (int i = 0; i < 200; i++) {
            Set<Target> away = random.nextInt(4) == 0 ? Set.of(all.get(random.nextInt(all.size()))) : Set.of();
            Target expected = eldestFirst.stream()
                    .filter(target -> !away.contains(target))
                    .findFirst()
                    .orElseThrow();

            Target picked = pick(router, run(1, i, (Long) null), all, target -> !away.contains(target));

            assertThat(picked).isEqualTo(expected);
            eldestFirst.remove(picked);
            eldestFirst.add(picked);
            clock.advance(Duration.ofMillis(random.nextInt(3)));
        }
    }

    @Test
    void leastFrequentDoesNotFloodNewExecutor() {
        Router router = Routers.leastFrequent(uses);
        for (int i = 0; i < 300; i++) {
            pick(router, run(1, i, (Long) null), executors(3), RouterProperties::any);
        }

        Map<Target, Integer> counts = counts(router, 40, 4, null);

        assertThat(counts.get(RoutingFixture.executor(3))).isBetween(9, 11);
    }

    @Test
    void leastFrequentRestartsCountEachDay() {
        Router router = Routers.leastFrequent(uses);
        for (int i = 0; i < 100; i++) {
            pick(router, run(1, i, (Long) null), executors(1), RouterProperties::any);
        }
        clock.advance(Duration.ofDays(1));

        assertThat(counts(router, 10, 2, null).values()).containsOnly(5);
    }

    @Test
    void tracksUsesPerJob() {
        Router router = Routers.leastRecent(uses);
        Target one = pick(router, run(1, 1, (Long) null), executors(3), RouterProperties::any);

        assertThat(pick(router, run(2, 2, (Long) null), executors(3), RouterProperties::any))
                .isEqualTo(one);
    }

    private static boolean any(Target target) {
        return true;
    }

    private static Map<Target, Integer> counts(Router router, int runs, int size, Long turn) {
        Map<Target, Integer> counts = new HashMap<>();
        for (int i = 0; i < runs; i++) {
            counts.merge(pick(router, run(1, i, turn), executors(size), RouterProperties::any), 1, Integer::sum);
        }
        return counts;
    }

    private static Target pick(Router router, Run run, List<Target> candidates, Predicate<Target> untried) {
        Optional<Target> picked = router.pick(run, candidates, untried);
        return picked.orElseThrow();
    }
}
