package io.orth.cli;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * The outcome of one invocation of the program.
 *
 * @param code its exit code
 */
record CliRun(int code, String out, String err) {

    private static final String TOKEN = "secret";

    /** With the token, against an admin at this address. */
    static CliRun at(String url, String... args) {
        return in(Map.of("ORTH_URL", url, "ORTH_TOKEN", TOKEN), "", args);
    }

    static CliRun in(Map<String, String> variables, String standardInput, String... args) {
        return in(variables, new ByteArrayInputStream(standardInput.getBytes(StandardCharsets.UTF_8)), args);
    }

    static CliRun in(Map<String, String> variables, InputStream standardInput, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = OrthCli.run(
                new Surroundings(variables, standardInput, new PrintWriter(out, true), new PrintWriter(err, true)),
                args);
        return new CliRun(code, out.toString(), err.toString());
    }
}
