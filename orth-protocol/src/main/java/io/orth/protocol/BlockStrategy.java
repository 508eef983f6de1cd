package io.orth.protocol;

import java.util.Map;

/** What an executor does with a trigger while its job is busy there. */
public enum BlockStrategy {
    /** Wait in the job's queue; one at a time, in order. */
    SERIAL("SERIAL_EXECUTION"),

    /** Skip the trigger while a run goes on or waits. */
    DISCARD("DISCARD_LATER"),

    /** End what goes on and what waits, then run this one. */
    COVER("COVER_EARLY"),

    /** Run up to {@link TriggerRequest#concurrency()} at the same time; the others wait. */
    CONCURRENT("CONCURRENT");

    /** How an executor says that {@link #DISCARD} has skipped a trigger; XXL-JOB's executors use exactly this text. */
    public static final String DISCARDED = "block strategy effect：Discard Later";

    private static final Map<String, BlockStrategy> BY_WIRE_NAME = Map.of(
            "SERIAL_EXECUTION", SERIAL,
            "DISCARD_LATER", DISCARD,
            "COVER_EARLY", COVER,
            "CONCURRENT", CONCURRENT,
            "CONCURRENT_EXECUTION", CONCURRENT);

    private final String wireName;

    BlockStrategy(String wireName) {
        this.wireName = wireName;
    }

    public String wireName() {
        return wireName;
    }

    /** Executors take a strategy they do not know, or none, for {@link #SERIAL}: the one that loses nothing. */
    public static BlockStrategy ofWireName(String name) {
        return name == null ? SERIAL : BY_WIRE_NAME.getOrDefault(name, SERIAL);
    }
}
