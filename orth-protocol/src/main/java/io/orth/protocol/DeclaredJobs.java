package io.orth.protocol;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * All jobs that one executor instance declares; sent when an admin asks for them.
 *
 * @param hash what the instance's beats say of them
 * @param unreadable what cannot be read; empty in messages to be sent
 */
public record DeclaredJobs(
        String group, String instanceId, String hash, List<DeclaredJob> jobs, List<Refused> unreadable)
        implements WireMessage {

    /** How many an executor may declare. */
    public static final int MOST = 1_000;

    /** How many characters all of them together may have as JSON. */
    public static final int MOST_TEXT = 1_000_000;

    /** The hash of an executor that declares none. */
    public static final String NONE = hashOf(List.of());

    public DeclaredJobs {
        jobs = List.copyOf(jobs);
        unreadable = List.copyOf(unreadable);
    }

    public DeclaredJobs(String group, String instanceId, List<DeclaredJob> jobs) {
        this(group, instanceId, hashOf(jobs), jobs, List.of());
    }

    /**
     * A declaration that was not taken, and why.
     *
     * @param name null where even that cannot be read
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

    /** An admin's answer: those it did not take; all others it has. */
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

    /** The same for the same jobs, in whatever order. */
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

    /** One job that cannot be read does not spoil the others. */
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
