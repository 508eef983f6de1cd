package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import java.util.List;
import java.util.Locale;

/** Why a call was refused or failed, as RFC 9457 has it, with the code programs go by and the fields people look at. */
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
