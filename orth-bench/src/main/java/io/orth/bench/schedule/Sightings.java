package io.orth.bench.schedule;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the handlers of a contender saw: which job ran when, and for which due instant. */
final class Sightings {

    /** One start of a handler. */
    record Sighting(int job, long due, long started) {}

    /**
     * How the due instants of a window fared.
     *
     * @param lost instants of a job that nobody saw
     * @param doubled sightings beyond the first of an instant
     */
    record Verdict(long expected, long lost, long doubled, long medianMillis, long p99Millis, long worstMillis) {

        /** Everything ran once, and hardly anything later than the next fire. */
        boolean held() {
            return lost == 0 && doubled == 0 && p99Millis < 1_000;
        }
    }

    /** Where a program under measurement writes what it sees. */
    static final class Recorder implements Closeable {

        private final DataOutputStream out;

        Recorder(Path file) throws IOException {
            this.out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16));
        }

        synchronized void saw(int job, long due) {
            try {
                out.writeInt(job);
                out.writeLong(due);
                out.writeLong(System.currentTimeMillis());
            } catch (IOException e) {
                throw new IllegalStateException("the benchmark cannot write down what it saw", e);
            }
        }

        @Override
        public synchronized void close() throws IOException {
            out.close();
        }
    }

    private final List<Sighting> all;

    Sightings(List<Sighting> all) {
        this.all = all;
    }

    static Sightings read(Path file) throws IOException {
        List<Sighting> read = new ArrayList<>();
        long records = Files.size(file) / (Integer.BYTES + 2 * Long.BYTES);
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            for (long i = 0; i < records; i++) {
                read.add(new Sighting(in.readInt(), in.readLong(), in.readLong()));
            }
        }
        return new Sightings(read);
    }

    /** Judges the instants from {@code from} (included) to {@code to} (not included) of {@code jobs} jobs. */
    Verdict judge(int jobs, long from, long to) {
        Map<Long, Integer> seen = new HashMap<>();
        List<Long> late = new ArrayList<>();
        for (Sighting each : all) {
            if (each.due() >= from && each.due() < to) {
                seen.merge(each.due() << 20 | each.job(), 1, Integer::sum);
                late.add(Math.max(0, each.started() - each.due()));
            }
        }
        late.sort(null);
        long expected = (to - from) / 1_000 * jobs;
        return new Verdict(
                expected,
                expected - seen.size(),
                late.size() - seen.size(),
                percentile(late, 50),
                percentile(late, 99),
                percentile(late, 100));
    }

    private static long percentile(List<Long> sorted, int percent) {
        if (sorted.isEmpty()) {
            return -1;
        }
        int rank = (int) Math.ceil(sorted.size() * percent / 100.0);
        return sorted.get(Math.max(0, rank - 1));
    }
}
