package io.orth.admin.xxlimport;

import io.orth.admin.job.SourceEdit;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.xxlimport.XxlJobRows.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The imported versions of a job's source: only those of its current glue type, the current version last. */
final class SourceHistory {

    private static final int LONGEST_NOTE = 200;

    private final String author;

    /** {@code author} is the importing user, because XXL-JOB does not store authors of versions. */
    SourceHistory(String author) {
        this.author = author;
    }

    /** {@code check} throws for a text that cannot be stored. */
    List<SourceEdit> versions(Source current, List<Source> earlier, Consumer<SourceEdit> check, EntryDraft draft) {
        List<SourceEdit> versions = new ArrayList<>();
        int otherKinds = 0;
        for (Source source : earlier) {
            if (!source.glueType().equals(current.glueType())) {
                otherKinds++;
            } else if (isNew(source.text(), versions)) {
                add(source, check, versions, draft);
            }
        }
        if (otherKinds > 0) {
            draft.notMapped("%d earlier versions of its source, which are of another kind".formatted(otherKinds));
        }
        if (isNew(current.text(), versions)) {
            versions.add(edit(current));
        }
        return versions;
    }

    private void add(Source source, Consumer<SourceEdit> check, List<SourceEdit> versions, EntryDraft draft) {
        SourceEdit edit = edit(source);
        try {
            check.accept(edit);
            versions.add(edit);
        } catch (OrthException e) {
            draft.notMapped("the version of its source of %s: %s".formatted(source.updated(), e.getMessage()));
        }
    }

    private static boolean isNew(String text, List<SourceEdit> versions) {
        return versions.isEmpty() || !versions.get(versions.size() - 1).text().equals(text);
    }

    SourceEdit edit(Source source) {
        String note = Text.line("%s (XXL-JOB, %s)".formatted(source.remark(), source.updated()), LONGEST_NOTE);
        return new SourceEdit(source.text(), note, author, true);
    }
}
