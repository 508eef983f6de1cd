package io.orth.admin.xxlimport;

import java.util.List;

/** Report of an import or dry run; {@code leftOut} lists data that is never imported or could not be read. */
public record ImportReport(boolean dryRun, String source, List<Entry> entries, List<String> leftOut) {

    /** Kind of an imported object. */
    public enum Kind {
        GROUP,
        JOB,
        USER
    }

    /** Result of importing one row. */
    public enum Outcome {
        CREATED,
        /** The object existed and was not modified. */
        EXISTS,
        FAILED
    }

    /**
     * A field that changed in XXL-JOB after the import of its job; the job in Orth is not modified. A deleted job has the field {@code id}
     * without a current value.
     */
    public record Drift(String field, String imported, String current) {}

    /**
     * One row of the XXL-JOB database.
     *
     * @param sourceId its id in XXL-JOB
     * @param group for a job, the name of its executor group in Orth; otherwise null
     * @param id its id in Orth; null if it does not exist there
     * @param wasRunning for a job, whether its schedule was active in XXL-JOB
     * @param drift for a job imported earlier, its changes in XXL-JOB since then
     * @param problem why it failed; otherwise null
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

    /** Returns counts such as {@code groups 1 created, 0 there, 0 failed; jobs …}. */
    public String inWords() {
        return (dryRun ? "dry run: " : "")
                + "groups %s; jobs %s; users %s".formatted(counts(Kind.GROUP), counts(Kind.JOB), counts(Kind.USER));
    }

    private String counts(Kind kind) {
        return "%d created, %d there, %d failed"
                .formatted(count(kind, Outcome.CREATED), count(kind, Outcome.EXISTS), count(kind, Outcome.FAILED));
    }
}
