package io.orth.admin.triggering;

import io.orth.admin.triggering.SourceShelf.Loaded;
import java.util.ArrayList;
import java.util.List;

/** Splits data for one executor so that no request exceeds the size an executor reads (5 MB). */
final class Requests {

    static final long MOST_BYTES = 5_000_000;

    /** Upper bound of a trigger's size without its parameter and source. */
    private static final int REST_OF_A_TRIGGER = 1_500;

    private static final int MOST_BYTES_PER_CHARACTER = 6;

    private Requests() {}

    static List<List<Loaded>> of(List<Loaded> batch) {
        List<List<Loaded>> requests = new ArrayList<>();
        long bytes = 0;
        for (Loaded each : batch) {
            long size = sizeOf(each);
            if (requests.isEmpty() || bytes + size > MOST_BYTES) {
                requests.add(new ArrayList<>());
                bytes = 0;
            }
            requests.get(requests.size() - 1).add(each);
            bytes += size;
        }
        return requests;
    }

    private static long sizeOf(Loaded loaded) {
        long param =
                (long) MOST_BYTES_PER_CHARACTER * loaded.send().run().param().length();
        return REST_OF_A_TRIGGER
                + param
                + (loaded.source() == null ? 0 : loaded.source().wireSize());
    }
}
