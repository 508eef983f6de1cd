package io.orth.protocol;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An admin's response to a registration: the plain envelope, and fields that only Orth's executors read. These fields are null from
 * admins that do not support them.
 *
 * @param revoked log ids of work that this instance must not start, or must end: runs declared lost, reassigned messages and cancelled
 *     tasks. Null from admins that are not Orth's
 * @param declare whether this instance must send its declared jobs. Null also for executors that have not reported their declarations
 * @param installationId the installation of the admin
 * @param heartbeats the rule that the admin applies and this instance follows
 * @param incarnation differs from the last reply if this instance was declared dead in between; work accepted before may have been
 *     reassigned
 */
public record RegistrationReply(
        Reply reply,
        List<Long> revoked,
        Boolean declare,
        String installationId,
        HeartbeatRule heartbeats,
        Long incarnation)
        implements WireMessage {

    public RegistrationReply {
        revoked = revoked == null ? null : List.copyOf(revoked);
    }

    public static RegistrationReply ok(List<Long> revoked) {
        return ok(revoked, null, null, null);
    }

    public static RegistrationReply ok(List<Long> revoked, Boolean declare) {
        return ok(revoked, declare, null, null);
    }

    public static RegistrationReply ok(
            List<Long> revoked, Boolean declare, String installationId, HeartbeatRule heartbeats) {
        return new RegistrationReply(Reply.ok(), revoked, declare, installationId, heartbeats, null);
    }

    /** Returns a copy with this incarnation of the executor. */
    public RegistrationReply of(long number) {
        return new RegistrationReply(reply, revoked, declare, installationId, heartbeats, number);
    }

    public static RegistrationReply from(JsonObject json) {
        return new RegistrationReply(
                Reply.from(json),
                json.has("revoked") ? json.numbers("revoked") : null,
                json.has("declare") ? json.flag("declare") : null,
                json.text("installationId"),
                json.has("heartbeatIntervalMillis") ? heartbeats(json) : null,
                json.has("incarnation") ? json.requiredNumber("incarnation") : null);
    }

    private static HeartbeatRule heartbeats(JsonObject json) {
        try {
            return new HeartbeatRule(
                    Duration.ofMillis(json.requiredNumber("heartbeatIntervalMillis")),
                    Duration.ofMillis(json.requiredNumber("heartbeatTimeoutMillis")));
        } catch (IllegalArgumentException e) {
            throw new WireFormatException(e.getMessage());
        }
    }

    /** Returns whether the admin is one of Orth's, so that a missing acknowledgement is significant. */
    public boolean fromOrth() {
        return revoked != null;
    }

    /** Returns whether the executor must send its declarations now. */
    public boolean asksForDeclarations() {
        return Boolean.TRUE.equals(declare);
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>(reply.toJson());
        if (revoked != null) {
            json.put("revoked", revoked);
        }
        if (declare != null) {
            json.put("declare", declare);
        }
        if (installationId != null) {
            json.put("installationId", installationId);
        }
        if (heartbeats != null) {
            json.put("heartbeatIntervalMillis", heartbeats.interval().toMillis());
            json.put("heartbeatTimeoutMillis", heartbeats.timeout().toMillis());
        }
        if (incarnation != null) {
            json.put("incarnation", incarnation);
        }
        return json;
    }
}
