package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import java.util.regex.Pattern;

/** Key that a client chooses for a call which it may have to repeat because the outcome is unknown. */
final class IdempotencyKey {

    static final String HEADER = "Idempotency-Key";

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._:-]{1,100}");

    private IdempotencyKey() {}

    /** Checks the header's value; null if the header is missing. */
    static String checked(String key) {
        return key == null ? null : checked(HEADER, key);
    }

    /** @param field where the key was sent */
    static String checked(String field, String key) {
        if (!FORM.matcher(key).matches()) {
            throw OrthException.invalid(field, "must be 1 to 100 letters, digits, dots, dashes, colons or underscores");
        }
        return key;
    }
}
