package io.orth.bench;

import io.orth.bench.history.Histories;
import io.orth.bench.queue.DeadLetterPiles;
import io.orth.bench.queue.Drains;
import io.orth.bench.queue.FanOuts;
import io.orth.bench.queue.Latencies;
import io.orth.bench.schedule.Journals;
import io.orth.bench.schedule.Schedules;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Runs benchmarks by their names: for each a table for people, then one line of JSON for programs. Exit code 1: a goal was missed. */
public final class Bench {

    private static final int USAGE = 2;

    static final Map<String, Function<Path, Benchmark>> CASES = new TreeMap<>(Map.of(
            "deadletters",
            DeadLetterPiles::new,
            "drain",
            Drains::new,
            "latency",
            Latencies::new,
            "history",
            Histories::new,
            "journal",
            Journals::new,
            "pipeline",
            FanOuts::new,
            "schedule",
            Schedules::new,
            "sleepers",
            adminJar -> new Sleepers()));

    private Bench() {}

    private static Path adminJar() {
        String jar = System.getProperty("orth.admin.jar");
        if (jar == null) {
            throw new IllegalStateException("-Dorth.admin.jar names no packaged admin; ./orth bench gives it");
        }
        return Path.of(jar);
    }

    static Findings described(Benchmark benchmark) {
        Findings findings = new Findings().setting("form", Sizes.SHORT ? "short" : "full");
        benchmark.describe(findings);
        return findings;
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0 || !CASES.keySet().containsAll(List.of(arguments))) {
            System.err.println("name benchmarks: " + String.join(", ", CASES.keySet()));
            System.exit(USAGE);
            return;
        }
        boolean allGood = true;
        for (String name : arguments) {
            Map<String, Object> conditions = Conditions.ofThisRun();
            Benchmark benchmark = CASES.get(name).apply(adminJar());
            Findings findings = described(benchmark);
            benchmark.measure(findings);
            System.out.println(findings.table(conditions));
            System.out.println(findings.json(name, conditions));
            allGood &= findings.allGood();
        }
        System.exit(allGood ? 0 : 1);
    }
}
