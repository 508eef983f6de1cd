package io.orth.cli;

import java.io.InputStream;
import java.io.PrintWriter;
import java.util.Map;

/** What the program is given: variables, and where it reads and writes. */
record Surroundings(Map<String, String> variables, InputStream in, PrintWriter out, PrintWriter err) {

    /** The variable's text; null where it is not set or blank. */
    String variable(String name) {
        String text = variables.get(name);
        return text == null || text.isBlank() ? null : text.strip();
    }
}
