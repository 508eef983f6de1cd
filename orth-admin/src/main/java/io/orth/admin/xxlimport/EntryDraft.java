package io.orth.admin.xxlimport;

import io.orth.admin.xxlimport.ImportReport.Drift;
import io.orth.admin.xxlimport.ImportReport.Entry;
import io.orth.admin.xxlimport.ImportReport.Kind;
import io.orth.admin.xxlimport.ImportReport.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Collector of remarks about one row while it is mapped. */
final class EntryDraft {

    private final Kind kind;
    private final int sourceId;
    private final String group;
    private final String name;
    private final List<String> changed = new ArrayList<>();
    private final List<String> notMapped = new ArrayList<>();
    private boolean wasRunning;

    EntryDraft(Kind kind, int sourceId, String group, String name) {
        this.kind = kind;
        this.sourceId = sourceId;
        this.group = group;
        this.name = name;
    }

    void changed(String what) {
        changed.add(what);
    }

    void notMapped(String what) {
        notMapped.add(what);
    }

    void wasRunning(boolean running) {
        wasRunning = running;
    }

    /** Returns an entry for a created object; {@code id} is null in a dry run. */
    Entry created(Long id) {
        return entry(Outcome.CREATED, id, List.of(), null);
    }

    /** Returns an entry for an existing object. It is not modified, so all remarks collected so far are dropped. */
    Entry exists(long id) {
        return exists(id, List.of(), List.of());
    }

    /** Returns an entry for an existing object with the changes in XXL-JOB since its import and the remarks about its current state. */
    Entry exists(long id, List<Drift> drift, List<String> remarks) {
        changed.clear();
        changed.addAll(remarks);
        notMapped.clear();
        return entry(Outcome.EXISTS, id, drift, null);
    }

    /**
     * Returns an entry for an existing object that is not modified itself; the remarks concern the rows that belong to it. {@code id} is
     * null if a dry run would create it.
     */
    Entry joins(Long id) {
        return entry(Outcome.EXISTS, id, List.of(), null);
    }

    Entry failed(String reason) {
        return entry(Outcome.FAILED, null, List.of(), reason);
    }

    private Entry entry(Outcome outcome, Long id, List<Drift> drift, String problem) {
        return new Entry(
                kind,
                sourceId,
                group,
                name,
                outcome,
                id,
                wasRunning,
                List.copyOf(changed),
                List.copyOf(notMapped),
                drift,
                problem);
    }
}
