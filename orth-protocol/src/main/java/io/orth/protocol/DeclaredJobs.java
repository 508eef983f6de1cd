package io.orth.protocol;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * All jobs that one executor instance declares; sent when an admin requests them.
 *
 * @param hash hash of the jobs, as in the instance's heartbeats
 * @param unreadable jobs that cannot be parsed; empty in messages to be sent
 */
public record DeclaredJobs(
        String group, String instanceId, String hash, List<DeclaredJob> jobs, List<Refused> unreadable)
        implements WireMessage {

    /** Maximum number of jobs an executor may declare. */
    public static final int MOST = 1_000;

    /** Maximum total size of the jobs as JSON, in characters. */
    public static final int MOST_TEXT = 1_000_000;

    /** Hash for an executor that declares no jobs. */
    public static final String NONE = hashOf(List.of());

    public DeclaredJobs {
        jobs = List.copyOf(jobs);
        unreadable = List.copyOf(unreadable);
    }

    public DeclaredJobs(String group, String instanceId, List<DeclaredJob> jobs) {
        this(group, instanceId, hashOf(jobs), jobs, List.of());
    }

    /**
     * A rejected declaration and the reason.
     *
     * @param name null if the name cannot be parsed
     */
    public record Refused(String name, String msg) implements WireMessage {

        static Refused from(JsonObject json) {
            return new Refused(json.text("name"), json.text("msg", ""));
        }

        @Override
        public Map<String, Object> toJson() {
            return new Fields().put("name", name).put("msg", msg).toMap();
        }
    }

    /** An admin's response: the rejected declarations; all others are stored. */
    public record Answer(List<Refused> refused) implements WireMessage {

        public Answer {
            refused = List.copyOf(refused);
        }

        public static Answer from(JsonObject json) {
            return new Answer(
                    json.objects("refused").stream().map(Refused::from).toList());
        }

        @Override
        public Map<String, Object> toJson() {
            return new Fields()
                    .put("refused", refused.stream().map(Refused::toJson).toList())
                    .toMap();
        }
    }

    /** Returns a hash that is independent of the order of the jobs. */
    public static String hashOf(List<DeclaredJob> jobs) {
        List<DeclaredJob> sorted =
                jobs.stream().sorted(Comparator.comparing(DeclaredJob::name)).toList();
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(Json.write(sorted));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    /** Reads the declarations; a job that cannot be parsed does not affect the others. */
    public static DeclaredJobs from(JsonObject json) {
        List<JsonObject> items = json.objects("jobs");
        if (items.size() > MOST) {
            throw new WireFormatException("'jobs' must be at most %d".formatted(MOST));
        }
        List<DeclaredJob> jobs = new ArrayList<>();
        List<Refused> unreadable = new ArrayList<>();
        for (JsonObject item : items) {
            try {
                jobs.add(DeclaredJob.from(item));
            } catch (WireFormatException e) {
                unreadable.add(new Refused(nameOf(item), e.getMessage()));
            }
        }
        return new DeclaredJobs(
                json.requiredText("registryKey"),
                json.requiredText("instanceId"),
                json.requiredText("hash"),
                jobs,
                unreadable);
    }

    private static String nameOf(JsonObject item) {
        try {
            return item.text("name");
        } catch (WireFormatException e) {
            return null;
        }
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("registryKey", group)
                .put("instanceId", instanceId)
                .put("hash", hash)
                .put("jobs", jobs.stream().map(DeclaredJob::toJson).toList())
                .toMap();
    }
}
