package io.orth.bench.queue;

import io.orth.bench.installation.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.BooleanSupplier;

/** How soon after a push the handler begins: one message after the other, over HTTP both ways. */
final class StartTimes {

    private static final Duration EVERY = Duration.ofMillis(20);

    private final long[] sortedMicros;

    StartTimes(long[] sortedMicros) {
        this.sortedMicros = sortedMicros;
    }

    static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    /** Of so many. */
    static StartTimes measure(OrthQueues orth, int messages) throws Exception {
        return measure(orth, messages, () -> true);
    }

    /** Of at most so many, while that holds. */
    static StartTimes measure(OrthQueues orth, int most, BooleanSupplier goesOn) throws Exception {
        int before = lines(orth.seen()).size();
        int pushed = 0;
        while (pushed < most && goesOn.getAsBoolean()) {
            Instant next = Instant.now().plus(EVERY);
            orth.push(Long.toString(nowMicros()));
            pushed++;
            Patience.until(next);
        }
        int expected = before + pushed;
        Patience.await(
                "messages", Duration.ofMinutes(1), () -> lines(orth.seen()).size() >= expected);
        return new StartTimes(lines(orth.seen()).stream()
                .skip(before)
                .mapToLong(Long::parseLong)
                .sorted()
                .toArray());
    }

    private static List<String> lines(Path seen) throws Exception {
        return Files.readAllLines(seen);
    }

    int messages() {
        return sortedMicros.length;
    }

    double medianMillis() {
        return sortedMicros[sortedMicros.length / 2] / 1000.0;
    }

    double p99Millis() {
        return sortedMicros[sortedMicros.length * 99 / 100] / 1000.0;
    }

    double worstMillis() {
        return sortedMicros[sortedMicros.length - 1] / 1000.0;
    }
}
