package io.orth.protocol;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An admin's answer to a registration: the plain envelope, and beside it what only Orth's executors read.
 *
 * @param revoked runs that this instance must not start any more, or must end: others have decided about them. Null from
 *     admins that are not Orth's
 * @param declare whether this instance is to send the jobs it declares. Null from admins that know of no such thing, and to
 *     executors that have not said what they declare
 * @param installationId the installation that the admin belongs to. Null from admins that do not say
 * @param heartbeats the rule that the admin judges by, and that this instance follows. Null from admins that do not say
 * @param incarnation another number than in the last reply if this instance was declared dead in between: whatever it accepted before may
 *     have been given to others. Null from admins that do not say
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

    /** The same, of this incarnation of the executor. */
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

    /** Whether the admin is one of Orth's, so that what it does not acknowledge counts. */
    public boolean fromOrth() {
        return revoked != null;
    }

    /** Whether the executor is to send its declarations now. */
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
