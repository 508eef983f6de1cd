package io.orth.protocol;

import java.util.Map;

/** How an executor handles a trigger while its job is busy there. */
public enum BlockStrategy {
    /** Wait in the job's queue; one run at a time, in order. */
    SERIAL("SERIAL_EXECUTION"),

    /** Skip the trigger while another run is running or waiting. */
    DISCARD("DISCARD_LATER"),

    /** End running and waiting runs, then run this one. */
    COVER("COVER_EARLY"),

    /** Run up to {@link TriggerRequest#concurrency()} concurrently; the others wait. */
    CONCURRENT("CONCURRENT");

    /** Text by which an executor reports that {@link #DISCARD} has skipped a trigger; XXL-JOB's executors use exactly this text. */
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

    /** Returns the strategy of this name. Unknown names and null map to {@link #SERIAL}, which loses no run. */
    public static BlockStrategy ofWireName(String name) {
        return name == null ? SERIAL : BY_WIRE_NAME.getOrDefault(name, SERIAL);
    }
}
