package io.orth.admin.security;

import java.time.Clock;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * Who did what, and how it ended. A row is written before the call runs, so that nothing happens unrecorded, and closed
 * once; a closed row is never written again. Text from outside is kept on one line and cut.
 */
@Component
public final class AuditLog {

    private static final int LONGEST_WORDS = 300;
    private static final int LONGEST_DETAIL = 2_000;
    private static final String ANONYMOUS = "anonymous";

    /** A call about to run. {@code caller} null where nobody is logged in, {@code object} null where unknown. */
    public record Attempt(Principal caller, String action, String object, String address, String traceId) {

        public Attempt {
            action = oneLine(action, LONGEST_WORDS);
            object = oneLine(object, LONGEST_WORDS);
            address = oneLine(address, LONGEST_WORDS);
            traceId = oneLine(traceId, LONGEST_WORDS);
        }

        String actor() {
            return caller == null ? ANONYMOUS : caller.name();
        }

        String actorKind() {
            return caller == null ? "ANONYMOUS" : caller.kind().name();
        }
    }

    /** How a call ended. {@code caller}, {@code object} and {@code detail} null where there is nothing to add. */
    public record Outcome(int status, Principal caller, String object, String detail) {

        public Outcome {
            object = oneLine(object, LONGEST_WORDS);
            detail = oneLine(detail, LONGEST_DETAIL);
        }

        String actor() {
            return caller == null ? null : caller.name();
        }

        String actorKind() {
            return caller == null ? null : caller.kind().name();
        }
    }

    /** What an executor did by what it said; it is over when it is written. */
    public record Deed(String executor, String action, String object, String address, String traceId, String detail) {

        public Deed {
            executor = oneLine(executor, LONGEST_WORDS);
            action = oneLine(action, LONGEST_WORDS);
            object = oneLine(object, LONGEST_WORDS);
            address = oneLine(address, LONGEST_WORDS);
            traceId = oneLine(traceId, LONGEST_WORDS);
            detail = oneLine(detail, LONGEST_DETAIL);
        }
    }

    /** Entries below the id {@code before}; {@code actor} and {@code text} null for any. */
    public record Query(String actor, String text, long before, int limit) {}

    private final AuditRepository rows;
    private final Clock clock;

    AuditLog(AuditRepository rows, Clock clock) {
        this.rows = rows;
        this.clock = clock;
    }

    /** Returns the id to {@link #finish} with. */
    public long begin(Attempt attempt) {
        return rows.insert(attempt, clock.instant());
    }

    public void finish(long id, Outcome outcome) {
        rows.finish(id, outcome);
    }

    /** In the caller's transaction, so that it is there if what it tells of is. */
    public void record(Deed deed) {
        rows.insert(deed, clock.instant());
    }

    /** Newest first. */
    public List<AuditEntry> list(Query query) {
        return rows.list(query, query.text() == null ? null : "%" + escaped(query.text()) + "%");
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_");
    }

    /** Writes control characters and broken surrogates as escapes and cuts what is too long. */
    static String oneLine(String text, int longest) {
        if (text == null) {
            return null;
        }
        StringBuilder line = new StringBuilder();
        text.codePoints().limit(longest + 1L).forEach(c -> appendVisible(line, c));
        if (line.codePointCount(0, line.length()) <= longest) {
            return line.toString();
        }
        return line.substring(0, line.offsetByCodePoints(0, longest)) + "…";
    }

    private static void appendVisible(StringBuilder line, int c) {
        if (c == '\n') {
            line.append("\\n");
        } else if (c == '\r') {
            line.append("\\r");
        } else if (Character.isISOControl(c) || c == 0x2028 || c == 0x2029 || (c >= 0xD800 && c <= 0xDFFF)) {
            line.append("\\u%04x".formatted(c));
        } else {
            line.appendCodePoint(c);
        }
    }
}
