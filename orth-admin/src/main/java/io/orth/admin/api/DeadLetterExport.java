package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.deadletter.DeadLetter;
import io.orth.admin.deadletter.DeadLetterFilter;
import io.orth.admin.deadletter.DeadLetterList;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;

/** Export of dead letters as JSON Lines, in parts of bounded memory. */
@Component
class DeadLetterExport {

    private static final int PAGE = 500;
    private static final long MOST_BYTES = 4 * 1024 * 1024;

    private final DeadLetterList letters;
    private final JsonMapper json;

    DeadLetterExport(DeadLetterList letters, JsonMapper json) {
        this.letters = letters;
        this.json = json;
    }

    /**
     * Complete dead letter.
     *
     * @param failures its attempts, oldest first
     */
    record Line(
            @JsonUnwrapped DeadLetter letter,
            String stack,
            @JsonRawValue String failures) {}

    void write(DeadLetterFilter filter, OutputStream out) throws IOException {
        OptionalLong after = OptionalLong.empty();
        do {
            DeadLetterList.Found found = letters.page(filter, after, PAGE);
            writeWhole(found.letters(), out);
            after = found.next() == null ? OptionalLong.empty() : OptionalLong.of(found.next());
        } while (after.isPresent());
        out.flush();
    }

    private void writeWhole(List<DeadLetter> page, OutputStream out) throws IOException {
        for (List<Long> part :
                parts(letters.sizes(page.stream().map(DeadLetter::no).toList()), page)) {
            writeWhole(out, part);
        }
    }

    /** Splits a page in order into parts of at most {@link #MOST_BYTES}; a larger dead letter is a part of its own. */
    static List<List<Long>> parts(Map<Long, Long> sizes, List<DeadLetter> page) {
        List<List<Long>> parts = new ArrayList<>();
        long bytes = 0;
        for (DeadLetter letter : page) {
            long size = sizes.getOrDefault(letter.no(), 0L);
            if (parts.isEmpty() || bytes + size > MOST_BYTES) {
                parts.add(new ArrayList<>());
                bytes = 0;
            }
            parts.get(parts.size() - 1).add(letter.no());
            bytes += size;
        }
        return parts;
    }

    private void writeWhole(OutputStream out, List<Long> numbers) throws IOException {
        for (DeadLetter letter : letters.whole(numbers)) {
            Line line = new Line(letter, letter.death().stack(), letter.failures());
            out.write(json.writeValueAsBytes(line));
            out.write('\n');
        }
    }
}
