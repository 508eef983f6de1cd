package io.orth.protocol;

import java.util.List;
import java.util.Map;

/**
 * An executor's registration: sent at start, with every heartbeat, and (to {@link AdminPaths#REGISTRY_REMOVE}) to deregister.
 *
 * @param group name of the executor group ({@code registryKey} on the wire)
 * @param address address of the executor for admins, {@code http://host:port/} ({@code registryValue} on the wire)
 * @param instance the sending instance; null from XXL-JOB executors
 */
public record Registration(String group, String address, Instance instance) implements WireMessage {

    private static final String EXECUTOR = "EXECUTOR";

    /**
     * One boot of one executor.
     *
     * @param leftoversDelivered whether all results that the predecessor left on disk have been delivered
     * @param draining whether the executor accepts no new work and deregisters once its work is finished
     * @param metrics null if not reported
     * @param declarations hash of the declared jobs ({@link DeclaredJobs#hashOf}); null if not reported
     * @param zone id of the time zone used in the logs; null if not reported
     * @param revoked ids that the last reply listed as revoked: the executor has ended or dropped these runs, and will start none of them
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

        /** Returns a copy that declares the jobs with this hash. */
        public Instance declaring(String hash) {
            return new Instance(id, host, pid, version, leftoversDelivered, draining, metrics, hash, zone, revoked);
        }

        /** Returns a copy whose logs use this time zone. */
        public Instance inZone(String zoneId) {
            return new Instance(
                    id, host, pid, version, leftoversDelivered, draining, metrics, declarations, zoneId, revoked);
        }

        /** Returns a copy that acknowledges these revocations. */
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
