package io.orth.cli;

import io.orth.client.Page;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** Options that select the page of a list. */
final class Paging {

    @Option(names = "--limit", paramLabel = "N", description = "maximum number of entries, 1 to 500 (default 50)")
    int limit = 50;

    @Option(
            names = "--after",
            paramLabel = "ID",
            description = "continue after this id, printed at the end of the previous page")
    String after;

    static void printNext(Page<?> page, PrintWriter out) {
        if (page.next() != null) {
            out.println("There is more: --after " + Plain.line(page.next()));
        }
    }
}
