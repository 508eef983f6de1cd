package io.orth.admin.xxlimport;

import java.util.List;

/** What an import did, or would do; {@code leftOut} is what is never imported or could not be read. */
public record ImportReport(boolean dryRun, String source, List<Entry> entries, List<String> leftOut) {

    /** What an entry is about. */
    public enum Kind {
        GROUP,
        JOB,
        USER
    }

    /** What became of it. */
    public enum Outcome {
        CREATED,
        /** It was there already and stays as it is. */
        EXISTS,
        FAILED
    }

    /**
     * A field that was changed in XXL-JOB after the job was imported; here it stays as it is. A deleted job has the field
     * {@code id} without a current value.
     */
    public record Drift(String field, String imported, String current) {}

    /**
     * One row of the foreign database.
     *
     * @param sourceId its id there
     * @param group of a job: the name of its executor group here; else null
     * @param id its id here; null where it is not there
     * @param wasRunning of a job: whether it fired by its schedule there
     * @param drift of a job that was imported before: what was changed there since
     * @param problem why it failed; null otherwise
     */
    public record Entry(
            Kind kind,
            int sourceId,
            String group,
            String name,
            Outcome outcome,
            Long id,
            boolean wasRunning,
            List<String> changed,
            List<String> notMapped,
            List<Drift> drift,
            String problem) {}

    public int count(Kind kind, Outcome outcome) {
        return (int) entries.stream()
                .filter(entry -> entry.kind() == kind && entry.outcome() == outcome)
                .count();
    }

    /** As in {@code groups 1 created, 0 there, 0 failed; jobs …}. */
    public String inWords() {
        return (dryRun ? "dry run: " : "")
                + "groups %s; jobs %s; users %s".formatted(counts(Kind.GROUP), counts(Kind.JOB), counts(Kind.USER));
    }

    private String counts(Kind kind) {
        return "%d created, %d there, %d failed"
                .formatted(count(kind, Outcome.CREATED), count(kind, Outcome.EXISTS), count(kind, Outcome.FAILED));
    }
}
