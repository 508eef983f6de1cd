package io.orth.admin.triggering;

import io.orth.admin.job.JobSource;
import io.orth.admin.job.JobSources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Cache of job sources for the triggers that carry them. A version never changes, so recently used ones are cached up to a total size.
 * Missing ones are read once per batch.
 */
final class SourceShelf {

    /** A run being dispatched with its source, which is null if the run names a handler. */
    record Loaded(Send send, JobSource source) {

        /** Returns whether the run's source has been deleted. */
        boolean isWithoutItsSource() {
            return source == null && send.run().sourceVersion() != null;
        }
    }

    private static final long MOST_CHARACTERS = 16L * 1024 * 1024;

    private final JobSources sources;
    private final long mostCharacters;
    /** In least recently used order. Guarded by this. */
    private final Map<JobSources.Key, JobSource> kept = new LinkedHashMap<>(16, 0.75f, true);

    private long characters;

    SourceShelf(JobSources sources) {
        this(sources, MOST_CHARACTERS);
    }

    SourceShelf(JobSources sources, long mostCharacters) {
        this.sources = sources;
        this.mostCharacters = mostCharacters;
    }

    List<Loaded> load(List<Send> sends) {
        Set<JobSources.Key> wanted = sends.stream()
                .filter(send -> send.run().sourceVersion() != null)
                .map(SourceShelf::keyOf)
                .collect(Collectors.toSet());
        Map<JobSources.Key, JobSource> found = wanted.isEmpty() ? Map.of() : find(wanted);
        return sends.stream()
                .map(send -> new Loaded(send, send.run().sourceVersion() == null ? null : found.get(keyOf(send))))
                .toList();
    }

    private Map<JobSources.Key, JobSource> find(Set<JobSources.Key> wanted) {
        Map<JobSources.Key, JobSource> found = new HashMap<>();
        List<JobSources.Key> missing = new ArrayList<>();
        synchronized (this) {
            for (JobSources.Key key : wanted) {
                JobSource source = kept.get(key);
                if (source == null) {
                    missing.add(key);
                } else {
                    found.put(key, source);
                }
            }
        }
        if (!missing.isEmpty()) {
            List<JobSource> read = sources.load(missing);
            read.forEach(source -> found.put(keyOf(source), source));
            keep(read);
        }
        return found;
    }

    private synchronized void keep(Collection<JobSource> read) {
        for (JobSource source : read) {
            if (kept.put(keyOf(source), source) == null) {
                characters += source.text().length();
            }
        }
        var oldest = kept.values().iterator();
        while (characters > mostCharacters && oldest.hasNext()) {
            characters -= oldest.next().text().length();
            oldest.remove();
        }
    }

    private static JobSources.Key keyOf(Send send) {
        return new JobSources.Key(send.run().jobId(), send.run().sourceVersion());
    }

    private static JobSources.Key keyOf(JobSource source) {
        return new JobSources.Key(source.about().jobId(), source.about().version());
    }
}
