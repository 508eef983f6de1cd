package io.orth.protocol;

import java.util.Map;

/**
 * How an executor's machine and process do, and what it has to do.
 *
 * @param cpu the system's load average of the last minute divided by its cores; negative where the system does not say
 * @param ram memory of the process
 * @param running runs that go on now
 * @param queued accepted runs that wait
 * @param leakedThreads threads of runs that were ended but do not stop
 * @param processCpu the share of the system's cores that the process used lately, from 0 to 1; negative where that is not known
 */
public record WorkerMetrics(double cpu, Ram ram, int running, int queued, int leakedThreads, double processCpu)
        implements WireMessage {

    /** Where something is not known. */
    public static final double UNKNOWN = -1;

    public WorkerMetrics(double cpu, Ram ram, int running, int queued, int leakedThreads) {
        this(cpu, ram, running, queued, leakedThreads, UNKNOWN);
    }

    /** Megabytes: resident, heap in use, heap taken from the system. */
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
