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

/** Runs benchmarks by their names: for each a table for people, then one line of JSON for programs. Exit code 1: a goal was missed. */
public final class Bench {

    private static final int USAGE = 2;

    /** Something to measure. */
    @FunctionalInterface
    interface Case {
        Findings measure() throws Exception;
    }

    private static final Map<String, Case> CASES = new TreeMap<>(Map.of(
            "deadletters",
            () -> new DeadLetterPiles(adminJar()).measure(),
            "drain",
            () -> new Drains(adminJar()).measure(),
            "latency",
            () -> new Latencies(adminJar()).measure(),
            "history",
            () -> new Histories(adminJar()).measure(),
            "journal",
            () -> new Journals(adminJar()).measure(),
            "pipeline",
            () -> new FanOuts(adminJar()).measure(),
            "schedule",
            () -> new Schedules(adminJar()).measure(),
            "sleepers",
            () -> new Sleepers().measure()));

    private Bench() {}

    private static Path adminJar() {
        String jar = System.getProperty("orth.admin.jar");
        if (jar == null) {
            throw new IllegalStateException("-Dorth.admin.jar names no packaged admin; ./orth bench gives it");
        }
        return Path.of(jar);
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
            Findings findings = CASES.get(name).measure();
            System.out.println(findings.table(conditions));
            System.out.println(findings.json(name, conditions));
            allGood &= findings.allGood();
        }
        System.exit(allGood ? 0 : 1);
    }
}
