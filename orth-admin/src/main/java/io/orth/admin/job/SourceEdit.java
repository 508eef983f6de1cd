package io.orth.admin.job;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.PlainText;
import io.orth.protocol.GlueType;
import java.nio.charset.StandardCharsets;

/**
 * A requested change of a job's source. Source text runs on executors, so changing it requires more than the permission to change the job.
 *
 * @param text the new text; null leaves the source unchanged
 * @param note a short reason; never null
 * @param author name of the user saving the job
 * @param allowed whether the author may write source text and decide where it runs
 */
public record SourceEdit(String text, String note, String author, boolean allowed) {

    /** No change and no permission: for jobs that name a handler. */
    public static final SourceEdit NONE = new SourceEdit(null, "", "", false);

    private static final int LONGEST_BYTES = 1024 * 1024;
    /** As JSON, so that the trigger that carries the text stays well below the executor's limit. */
    private static final int LONGEST_ON_THE_WIRE = 4 * 1024 * 1024;

    private static final int LONGEST_NOTE = 200;
    private static final String FIELD = "glue.source";

    public SourceEdit {
        PlainText.limit("glue.note", note, LONGEST_NOTE);
    }

    void requireAllowed() {
        if (!allowed) {
            throw OrthException.of(
                    ErrorCode.NOT_ALLOWED,
                    "source text runs on executors: only an administrator may write it or move it to another group");
        }
    }

    /** Returns the text as it is stored; throws if it is missing or invalid. */
    String textFor(GlueType type) {
        if (text == null || text.isBlank()) {
            throw OrthException.invalid(FIELD, "is missing");
        }
        if (text.indexOf('\0') >= 0) {
            throw OrthException.invalid(FIELD, "must not contain the character U+0000");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw OrthException.invalid(FIELD, "must not contain half of a surrogate pair");
        }
        String kept = type == GlueType.GLUE_SHELL ? text.replace("\r", "") : text;
        if (kept.getBytes(StandardCharsets.UTF_8).length > LONGEST_BYTES || wireSize(kept) > LONGEST_ON_THE_WIRE) {
            throw OrthException.invalid(FIELD, "must have at most 1 MB");
        }
        return kept;
    }

    /** Returns an upper bound of the bytes that the text takes as JSON. */
    static long wireSize(String text) {
        return text.chars().mapToLong(SourceEdit::wireSize).sum();
    }

    private static int wireSize(int character) {
        if (character < ' ') {
            return character == '\n' || character == '\t' || character == '\r' ? 2 : 6;
        }
        if (character < 0x80) {
            return character == '"' || character == '\\' ? 2 : 1;
        }
        return 3;
    }
}
