package io.orth.protocol;

import java.util.List;
import java.util.Map;

/**
 * An executor's word that it is alive and takes work: sent at start, with every beat, and (to
 * {@link AdminPaths#REGISTRY_REMOVE}) when it leaves.
 *
 * @param group the executor group's name ({@code registryKey} on the wire)
 * @param address where the admin reaches the executor, {@code http://host:port/} ({@code registryValue} on the wire)
 * @param instance who is speaking; null from executors that are not Orth's
 */
public record Registration(String group, String address, Instance instance) implements WireMessage {

    private static final String EXECUTOR = "EXECUTOR";

    /**
     * One boot of one executor.
     *
     * @param leftoversDelivered whether the results its predecessor left on disk have all been delivered
     * @param draining whether it takes no more work and will leave when it has finished what it has
     * @param metrics null when it does not say
     * @param declarations the hash of the jobs it declares ({@link DeclaredJobs#hashOf}); null when it does not say
     * @param zone the id of the time zone that the times in its logs are in; null when it does not say
     * @param revoked the ids that the last reply listed as revoked: it has ended or dropped them, and will start none
     */
    public record Instance(
            String id,
            String host,
            long pid,
            String version,
            boolean leftoversDelivered,
            boolean draining,
            WorkerMetrics metrics,
            String declarations,
            String zone,
            List<Long> revoked)
            implements WireMessage {

        public Instance {
            revoked = List.copyOf(revoked);
        }

        public Instance(String id, String host, long pid, String version, boolean leftoversDelivered) {
            this(id, host, pid, version, leftoversDelivered, false, null, null, null, List.of());
        }

        public Instance(
                String id,
                String host,
                long pid,
                String version,
                boolean leftoversDelivered,
                boolean draining,
                WorkerMetrics metrics) {
            this(id, host, pid, version, leftoversDelivered, draining, metrics, null, null, List.of());
        }

        /** The same, declaring the jobs of this hash. */
        public Instance declaring(String hash) {
            return new Instance(id, host, pid, version, leftoversDelivered, draining, metrics, hash, zone, revoked);
        }

        /** The same, with logs whose times are in this zone. */
        public Instance inZone(String zoneId) {
            return new Instance(
                    id, host, pid, version, leftoversDelivered, draining, metrics, declarations, zoneId, revoked);
        }

        /** The same, acknowledging these revocations. */
        public Instance acknowledging(List<Long> ids) {
            return new Instance(id, host, pid, version, leftoversDelivered, draining, metrics, declarations, zone, ids);
        }

        static Instance from(JsonObject json) {
            return new Instance(
                    json.requiredText("id"),
                    json.text("host", ""),
                    json.number("pid", 0),
                    json.text("version", ""),
                    json.flag("leftoversDelivered"),
                    json.flag("draining"),
                    json.object("metrics").map(WorkerMetrics::from).orElse(null),
                    json.text("declarations"),
                    json.text("zone"),
                    json.numbers("revoked"));
        }

        @Override
        public Map<String, Object> toJson() {
            return new Fields()
                    .put("id", id)
                    .put("host", host)
                    .put("pid", pid)
                    .put("version", version)
                    .put("leftoversDelivered", leftoversDelivered)
                    .put("draining", draining)
                    .put("metrics", metrics == null ? null : metrics.toJson())
                    .put("declarations", declarations)
                    .put("zone", zone)
                    .put("revoked", revoked.isEmpty() ? null : revoked)
                    .toMap();
        }
    }

    public static Registration from(JsonObject json) {
        String kind = json.requiredText("registryGroup");
        if (!kind.equals(EXECUTOR)) {
            throw new WireFormatException("'registryGroup' must be EXECUTOR");
        }
        return new Registration(
                json.requiredText("registryKey"),
                json.requiredText("registryValue"),
                json.object("instance").map(Instance::from).orElse(null));
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("registryGroup", EXECUTOR)
                .put("registryKey", group)
                .put("registryValue", address)
                .put("instance", instance == null ? null : instance.toJson())
                .toMap();
    }
}
