package io.orth.executor.internal.script;

import io.orth.executor.JobHandler;
import io.orth.protocol.Glue;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Caches the handler of the latest version of each job's source. The least recently used ones are evicted if there are too many
 * or their sources take too much memory. A lane that uses an evicted handler switches to an equivalent new one.
 */
final class HandlerCache {

    private record Entry(Glue glue, JobHandler handler) {}

    private static final float LOAD = 0.75f;

    private final int maxHandlers;
    private final long maxCharacters;

    // Guarded by this.
    private final Map<Integer, Entry> byJob = new LinkedHashMap<>(16, LOAD, true);
    private long characters;

    HandlerCache(int maxHandlers, long maxCharacters) {
        this.maxHandlers = maxHandlers;
        this.maxCharacters = maxCharacters;
    }

    /** Compares the source as well: versions created within one tick of the admin's clock must differ. */
    synchronized JobHandler handlerOf(int jobId, Glue glue, Supplier<JobHandler> make) {
        Entry known = byJob.get(jobId);
        if (known != null && known.glue().equals(glue)) {
            return known.handler();
        }
        Entry made = new Entry(glue, make.get());
        Entry replaced = byJob.put(jobId, made);
        characters += sizeOf(made) - (replaced == null ? 0 : sizeOf(replaced));
        forgetEldest();
        return made.handler();
    }

    private void forgetEldest() {
        Iterator<Entry> eldest = byJob.values().iterator();
        while (byJob.size() > 1 && (byJob.size() > maxHandlers || characters > maxCharacters)) {
            characters -= sizeOf(eldest.next());
            eldest.remove();
        }
    }

    private static long sizeOf(Entry entry) {
        return entry.glue().source().length();
    }
}
