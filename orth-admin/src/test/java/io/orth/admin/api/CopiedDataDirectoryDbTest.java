package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The backup of {@code ./orth up}: its data directory, copied while it is stopped. */
@Tag("must-first")
class CopiedDataDirectoryDbTest {

    @TempDir
    Path directory;

    @Test
    void aCopyStartsPausedAndTheOriginalLive() throws IOException {
        Path data = directory.resolve("data");
        Path copy = directory.resolve("copy");
        JsonNode original = installationIn(data);
        assertThat(original.path("paused").asBoolean()).isFalse();
        copy(data, copy);
        Path link = Files.createSymbolicLink(directory.resolve("link"), data);

        try (AdminServer.Running admin = start(copy)) {
            JsonNode copied = installation(admin);
            assertThat(copied.path("paused").asBoolean()).isTrue();
            assertThat(copied.path("pauseReason").asString()).isEqualTo("COPIED");
            assertThat(copied.path("copiedFromId")).isEqualTo(original.path("id"));
            assertThat(copied.path("id")).isNotEqualTo(original.path("id"));
            assertThat(admin.anonymous().get("/actuator/health").body()).contains("PAUSED");
        }
        assertThat(installationIn(link)).as("the original, by another name").isEqualTo(original);
    }

    private AdminServer.Running start(Path data) {
        return AdminServer.startEmbedded(data, directory.resolve("programs"));
    }

    private JsonNode installationIn(Path data) {
        try (AdminServer.Running admin = start(data)) {
            return installation(admin);
        }
    }

    private static JsonNode installation(AdminServer.Running admin) {
        return admin.api().get("/api/system").json().path("installation");
    }

    private static void copy(Path from, Path to) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(from)) {
            files = all.toList();
        }
        for (Path file : files) {
            Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
        }
    }
}
