package io.orth.admin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The table of a page under {@code docs/reference}. */
public final class ReferencePage {

    private ReferencePage() {}

    /** Cells of each row, without the marks for code; the head is left out. */
    public static List<List<String>> rows(String page) {
        try {
            return Files.readAllLines(Path.of("..", "docs", "reference", page)).stream()
                    .filter(line -> line.startsWith("| "))
                    .skip(2)
                    .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                            .map(cell -> cell.strip().replaceAll("^`|`$", ""))
                            .toList())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
