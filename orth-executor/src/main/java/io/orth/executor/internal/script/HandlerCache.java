package io.orth.executor.internal.script;

import io.orth.executor.JobHandler;
import io.orth.protocol.Glue;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The handler of the latest version of each job's source. The least recently used are forgotten when there are too many or their
 * sources take too much memory; a lane that uses a forgotten one changes over to its successor, which does the same.
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

    /** The source counts too: versions made within one tick of the admin's clock are still told apart. */
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
