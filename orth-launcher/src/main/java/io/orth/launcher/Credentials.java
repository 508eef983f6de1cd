package io.orth.launcher;

import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.WireFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The credentials that the admin generated at its first start and stores in a file that only its owner can read. */
record Credentials(String user, String password, String apiToken) {

    static Credentials read(Path file) {
        try {
            JsonObject json = Json.readObject(Files.readAllBytes(file));
            return new Credentials(
                    json.requiredText("user"), json.requiredText("password"), json.requiredText("apiToken"));
        } catch (IOException | WireFormatException e) {
            throw LauncherException.failed(
                    "The credentials in %s cannot be read (%s).".formatted(file, e.getMessage()));
        }
    }

    /** Omits the secrets. */
    @Override
    public String toString() {
        return user;
    }
}
