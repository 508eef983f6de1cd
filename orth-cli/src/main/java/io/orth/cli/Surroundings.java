package io.orth.cli;

import java.io.InputStream;
import java.io.PrintWriter;
import java.util.Map;

/** The environment of the program: variables, input and outputs. */
record Surroundings(Map<String, String> variables, InputStream in, PrintWriter out, PrintWriter err) {

    /** Returns a variable's value; null if it is unset or blank. */
    String variable(String name) {
        String text = variables.get(name);
        return text == null || text.isBlank() ? null : text.strip();
    }
}
