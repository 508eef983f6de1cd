package io.orth.protocol;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An admin's answer to a registration: the plain envelope, and beside it what only Orth's executors read.
 *
 * @param revoked runs that this instance must not start any more, or must end: others have decided about them. Null from
 *     admins that are not Orth's
 */
public record RegistrationReply(Reply reply, List<Long> revoked) implements WireMessage {

    public RegistrationReply {
        revoked = revoked == null ? null : List.copyOf(revoked);
    }

    public static RegistrationReply ok(List<Long> revoked) {
        return new RegistrationReply(Reply.ok(), revoked);
    }

    public static RegistrationReply from(JsonObject json) {
        return new RegistrationReply(Reply.from(json), json.has("revoked") ? json.numbers("revoked") : null);
    }

    /** Whether the admin is one of Orth's, so that what it does not acknowledge counts. */
    public boolean fromOrth() {
        return revoked != null;
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>(reply.toJson());
        if (revoked != null) {
            json.put("revoked", revoked);
        }
        return json;
    }
}
