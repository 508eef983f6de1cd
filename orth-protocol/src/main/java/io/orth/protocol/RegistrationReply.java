package io.orth.protocol;

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
 */
public record RegistrationReply(Reply reply, List<Long> revoked, Boolean declare, String installationId)
        implements WireMessage {

    public RegistrationReply {
        revoked = revoked == null ? null : List.copyOf(revoked);
    }

    public static RegistrationReply ok(List<Long> revoked) {
        return ok(revoked, null, null);
    }

    public static RegistrationReply ok(List<Long> revoked, Boolean declare) {
        return ok(revoked, declare, null);
    }

    public static RegistrationReply ok(List<Long> revoked, Boolean declare, String installationId) {
        return new RegistrationReply(Reply.ok(), revoked, declare, installationId);
    }

    public static RegistrationReply from(JsonObject json) {
        return new RegistrationReply(
                Reply.from(json),
                json.has("revoked") ? json.numbers("revoked") : null,
                json.has("declare") ? json.flag("declare") : null,
                json.text("installationId"));
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
        return json;
    }
}
