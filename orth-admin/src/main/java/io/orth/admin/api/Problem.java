package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import java.util.List;
import java.util.Locale;

/** Error response in the format of RFC 9457, with an error code for programs and the affected fields. */
record Problem(
        String type,
        String title,
        int status,
        String detail,
        ErrorCode code,
        List<OrthException.FieldError> errors,
        String traceId) {

    static Problem of(ErrorCode code, String detail, List<OrthException.FieldError> errors, String traceId) {
        String words = code.name().toLowerCase(Locale.ROOT);
        String title =
                Character.toUpperCase(words.charAt(0)) + words.substring(1).replace('_', ' ');
        return new Problem(
                "urn:orth:problem:" + words.replace('_', '-'), title, code.status(), detail, code, errors, traceId);
    }
}
