package io.orth.cli;

import io.orth.protocol.Json;
import io.orth.protocol.WireFormatException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Finds the API token: in the specified file, in the environment, or in the credentials that {@code ./orth up} left on this
 * machine. The last one is sent only to admins on this machine. The command line is no source, because every user of the machine
 * can read it.
 */
final class Token {

    static final String VARIABLE = "ORTH_TOKEN";

    /** Set by the {@code orth} script: the credentials of its own installation. */
    static final String LOCAL_CREDENTIALS = "ORTH_LOCAL_CREDENTIALS";

    private static final Pattern THIS_MACHINE = Pattern.compile("localhost|127(\\.[0-9]{1,3}){3}|\\[::1]");

    private final Surroundings given;
    private final Input input;

    Token(Surroundings given, Input input) {
        this.given = given;
        this.input = input;
    }

    /** @param credentials the specified file; null if there is none */
    String find(String credentials, String url) {
        if (credentials != null) {
            return in(credentials);
        }
        String token = given.variable(VARIABLE);
        if (token != null) {
            return token;
        }
        String local = given.variable(LOCAL_CREDENTIALS);
        if (local != null && isHere(url)) {
            return in(local);
        }
        throw new UsageException("a token is needed: set %s, or give --credentials FILE".formatted(VARIABLE));
    }

    private String in(String file) {
        try {
            return Json.readObject(input.file(file).getBytes(StandardCharsets.UTF_8))
                    .requiredText("apiToken");
        } catch (WireFormatException e) {
            throw new UsageException("%s holds no credentials: %s".formatted(file, e.getMessage()));
        }
    }

    private static boolean isHere(String url) {
        try {
            String host = URI.create(url).getHost();
            return host != null && THIS_MACHINE.matcher(host).matches();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
