package io.orth.bench;

import io.orth.bench.history.Histories;
import io.orth.bench.schedule.Journals;
import io.orth.bench.schedule.Schedules;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Runs one benchmark by its name: a table for people, then one line of JSON for programs. Exit code 1: a goal was missed. */
public final class Bench {

    private static final int USAGE = 2;

    /** Something to measure. */
    @FunctionalInterface
    interface Case {
        Findings measure() throws Exception;
    }

    private static final Map<String, Case> CASES = new TreeMap<>(Map.of(
            "history",
            () -> new Histories(adminJar()).measure(),
            "journal",
            () -> new Journals(adminJar()).measure(),
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
        Case chosen = arguments.length == 1 ? CASES.get(arguments[0]) : null;
        if (chosen == null) {
            System.err.println("name one benchmark: " + String.join(", ", CASES.keySet()));
            System.exit(USAGE);
            return;
        }
        Findings findings = chosen.measure();
        System.out.println(findings.table());
        System.out.println(findings.json(arguments[0]));
        System.exit(findings.allGood() ? 0 : 1);
    }
}
