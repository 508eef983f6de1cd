package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.registry.ExecutorAddress;
import io.orth.admin.registry.Groups;
import io.orth.admin.registry.RejectedAttempt;
import io.orth.admin.registry.RejectedRegistrations;
import io.orth.admin.registry.RejectionReason;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.WireFormatException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.stereotype.Component;

/** Recorder of rejected registrations, with as much about the executor as the request contains. */
@Component
final class RegistrationRejections {

    /** Maximum body that is read from a caller without a valid token; a registration has some hundred bytes. */
    private static final int MAX_UNAUTHENTICATED_BYTES = 8 * 1024;

    private static final String ADDRESS = "registryValue";

    private final RejectedRegistrations rejections;
    private final Groups groups;

    RegistrationRejections(RejectedRegistrations rejections, Groups groups) {
        this.rejections = rejections;
        this.groups = groups;
    }

    /** Requested group and address; empty if the request does not name them. */
    private record Asked(String group, String address) {

        static Asked in(byte[] body) {
            try {
                JsonObject json = Json.readObject(body);
                return new Asked(text(json, "registryKey"), text(json, ADDRESS));
            } catch (WireFormatException e) {
                return new Asked("", "");
            }
        }

        private static String text(JsonObject json, String field) {
            try {
                return json.text(field, "");
            } catch (WireFormatException e) {
                return "";
            }
        }
    }

    /** Records a registration whose token belongs to no group. */
    void ofWrongToken(HttpServletRequest request) {
        note(request, Asked.in(unauthenticatedBody(request)), RejectionReason.WRONG_TOKEN, ExecutorWire.WRONG_TOKEN);
    }

    private static byte[] unauthenticatedBody(HttpServletRequest request) {
        long length = request.getContentLengthLong();
        if (length < 1 || length > MAX_UNAUTHENTICATED_BYTES) {
            return new byte[0];
        }
        try {
            return request.getInputStream().readNBytes(MAX_UNAUTHENTICATED_BYTES);
        } catch (IOException | OrthException e) {
            // The share for waiting bodies is used up. The response still concerns the token.
            return new byte[0];
        }
    }

    /** Records a rejected registration, unless the cause is a failure of the admin. {@code group} is the group of the token. */
    void of(HttpServletRequest request, int group, byte[] body, RuntimeException why) {
        if (why instanceof OrthException failure && failure.code().owner() == ErrorCode.Owner.ADMIN) {
            return;
        }
        Asked asked = Asked.in(body);
        note(request, asked, reason(group, asked, why), String.valueOf(why.getMessage()));
    }

    private RejectionReason reason(int group, Asked asked, RuntimeException why) {
        if (!asked.group().isEmpty() && !asked.group().equals(groups.get(group).name())) {
            return RejectionReason.WRONG_GROUP;
        }
        boolean ofAddress = why instanceof OrthException failure
                && failure.fields().stream().anyMatch(field -> field.field().equals(ADDRESS));
        if (!ofAddress) {
            return RejectionReason.INVALID_REQUEST;
        }
        return isAddress(asked.address()) ? RejectionReason.ADDRESS_NOT_ALLOWED : RejectionReason.INVALID_ADDRESS;
    }

    private static boolean isAddress(String text) {
        try {
            ExecutorAddress.parse(ADDRESS, text);
            return true;
        } catch (OrthException e) {
            return false;
        }
    }

    private void note(HttpServletRequest request, Asked asked, RejectionReason reason, String message) {
        rejections.note(new RejectedAttempt(request.getRemoteAddr(), asked.group(), asked.address(), reason, message)
                .without(ExecutorWire.tokenOf(request)));
    }
}
