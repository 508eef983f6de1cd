package io.orth.sample.hydrate;

import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Takes out of texts what must not be in anybody's log: mail addresses, telephone numbers, keys. */
final class Redaction implements UnaryOperator<String> {

    private static final Pattern PRIVATE = Pattern.compile(
            "[\\w.+-]{1,64}@[\\w-]{1,63}(?:\\.[\\w-]{1,63}){1,5}|\\+\\d[\\d ()/-]{6,20}\\d|\\b(?:sk|Bearer)[- ][\\w.-]{8,200}");

    @Override
    public String apply(String text) {
        return PRIVATE.matcher(text).replaceAll("[redacted]");
    }
}
