package io.orth.protocol;

import java.util.Map;

/**
 * Load of an executor's machine and process.
 *
 * @param cpu the system's load average of the last minute divided by its cores; negative if the system does not report it
 * @param ram memory of the process
 * @param running number of running runs
 * @param queued number of accepted runs that wait
 * @param leakedThreads number of threads that still run after their run was ended
 * @param processCpu share of the system's cores used recently by the process, from 0 to 1; negative if unknown
 */
public record WorkerMetrics(double cpu, Ram ram, int running, int queued, int leakedThreads, double processCpu)
        implements WireMessage {

    /** Placeholder for an unknown value. */
    public static final double UNKNOWN = -1;

    public WorkerMetrics(double cpu, Ram ram, int running, int queued, int leakedThreads) {
        this(cpu, ram, running, queued, leakedThreads, UNKNOWN);
    }

    /** Memory in megabytes: resident set, heap in use, heap reserved from the system. */
    public record Ram(long rss, long heapUsed, long heapTotal) implements WireMessage {

        static Ram from(JsonObject json) {
            return new Ram(json.number("rss", 0), json.number("heapUsed", 0), json.number("heapTotal", 0));
        }

        @Override
        public Map<String, Object> toJson() {
            return new Fields()
                    .put("rss", rss)
                    .put("heapUsed", heapUsed)
                    .put("heapTotal", heapTotal)
                    .toMap();
        }
    }

    static WorkerMetrics from(JsonObject json) {
        return new WorkerMetrics(
                json.decimal("cpu", UNKNOWN),
                json.object("ram").map(Ram::from).orElse(new Ram(0, 0, 0)),
                json.integer("running", 0),
                json.integer("queued", 0),
                json.integer("leakedThreads", 0),
                json.decimal("processCpu", UNKNOWN));
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("cpu", cpu)
                .put("ram", ram.toJson())
                .put("running", running)
                .put("queued", queued)
                .put("leakedThreads", leakedThreads)
                .put("processCpu", processCpu < 0 ? null : processCpu)
                .toMap();
    }
}
