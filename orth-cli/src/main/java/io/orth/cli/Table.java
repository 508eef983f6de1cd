package io.orth.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A table with a header row and columns as wide as their content. */
final class Table {

    private static final int LONGEST_CELL = 100;
    private static final String GAP = "  ";

    private final List<List<String>> rows = new ArrayList<>();

    private Table(List<String> head) {
        rows.add(head);
    }

    static Table of(String... head) {
        return new Table(List.of(head));
    }

    Table row(Object... cells) {
        rows.add(
                Arrays.stream(cells).map(cell -> Plain.cell(cell, LONGEST_CELL)).toList());
        return this;
    }

    /** @param otherwise text to print if there are no rows */
    void print(PrintWriter out, String otherwise) {
        if (rows.size() == 1) {
            out.println(otherwise);
            return;
        }
        int[] widths = widths();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                line.append(row.get(i))
                        .append(" ".repeat(widths[i] - length(row.get(i))))
                        .append(GAP);
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private int[] widths() {
        int[] widths = new int[rows.get(0).size()];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], length(row.get(i)));
            }
        }
        return widths;
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
