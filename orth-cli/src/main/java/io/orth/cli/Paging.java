package io.orth.cli;

import io.orth.client.Page;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** Which part of a list is shown. */
final class Paging {

    @Option(names = "--limit", paramLabel = "N", description = "how many at most, 1 to 500 (50 otherwise)")
    int limit = 50;

    @Option(names = "--after", paramLabel = "ID", description = "those that follow, as the end of the list before says")
    String after;

    static void printNext(Page<?> page, PrintWriter out) {
        if (page.next() != null) {
            out.println("There is more: --after " + Plain.line(page.next()));
        }
    }
}
