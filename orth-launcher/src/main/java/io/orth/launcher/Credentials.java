package io.orth.launcher;

import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.WireFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the admin generated at its first start and keeps in a file for its owner. */
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

    /** Without the secrets. */
    @Override
    public String toString() {
        return user;
    }
}
