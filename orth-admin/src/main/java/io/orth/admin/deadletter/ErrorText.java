package io.orth.admin.deadletter;

import io.orth.admin.kernel.TextCut;
import io.orth.protocol.TextLimit;

/** Error of failed work in one line, and its stack trace, which is null if not reported. */
public record ErrorText(String error, String stack) {

    private static final int LONGEST_ERROR = 1_000;
    private static final String SAID_NOTHING = "failed without saying why";

    /** Splits {@code text}, which may be null: the first line is the error, the rest the stack trace. */
    public static ErrorText of(String text) {
        String said = text == null ? "" : text.replace("\0", "").strip();
        int end = said.indexOf('\n');
        String error = end < 0 ? said : said.substring(0, end).strip();
        String stack = end < 0 ? null : TextLimit.STORED.cut(said.substring(end + 1));
        return new ErrorText(error.isEmpty() ? SAID_NOTHING : TextCut.to(error, LONGEST_ERROR), stack);
    }

    /** Returns a value that is the same for all failures of one kind. */
    public String fingerprint() {
        return Fingerprint.of(error, stack);
    }
}
