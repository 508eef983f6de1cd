package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A shell in a directory where {@code ./orth cli} is the packaged program and knows an admin. Remembers what was typed. */
final class CliShell {

    private final Path directory;
    private final Map<String, String> variables = new HashMap<>();
    private final List<String> typed = new ArrayList<>();

    CliShell(Path directory, String java, AdminProgram admin) {
        this.directory = directory;
        variables.put("ORTH_URL", admin.url());
        variables.put(
                "ORTH_LOCAL_CREDENTIALS",
                admin.directory().resolve("credentials.json").toString());
        Path script = file("orth", """
                #!/bin/sh
                shift
                exec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto -jar '%s' "$@"
                """.formatted(java, Installation.packaged("orth-cli")));
        try {
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path file(String name, String text) {
        try {
            Files.createDirectories(directory);
            return Files.writeString(directory.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void set(String variable, String value) {
        variables.put(variable, value);
    }

    List<String> typed() {
        return typed;
    }

    /** Returns what it says; it has to succeed. */
    String run(String command) {
        typed.add(command);
        try {
            ProcessBuilder builder = new ProcessBuilder("bash", "-c", command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true);
            builder.environment().putAll(variables);
            Process process = builder.start();
            process.getOutputStream().close();
            String says = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as("%s: %s", command, says).isZero();
            return says;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
