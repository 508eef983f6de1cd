package io.orth.admin.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialsFileTest {

    private static final CredentialsFile.Content CONTENT = new CredentialsFile.Content("admin", "p", "orth_t");

    @TempDir
    Path directory;

    @Test
    void storesContentReadableByOwnerOnly() throws IOException {
        Path path = directory.resolve("below/credentials.json");

        new CredentialsFile(path).write(CONTENT);

        assertThat(new CredentialsFile(path).read()).contains(CONTENT);
        assertThat(permissions(path)).isEqualTo("rw-------");
        assertThat(Files.readString(path)).contains("\"user\"", "\"password\"", "\"apiToken\"");
    }

    @Test
    void leavesNothingElseBehind() throws IOException {
        CredentialsFile file = new CredentialsFile(directory.resolve("credentials.json"));

        file.write(new CredentialsFile.Content("old", "old", "old"));
        file.write(CONTENT);

        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).containsExactly(directory.resolve("credentials.json"));
        }
        assertThat(file.read()).contains(CONTENT);
    }

    @Test
    void restrictsFileThatOthersCouldRead() throws IOException {
        Path path = directory.resolve("credentials.json");
        new CredentialsFile(path).write(CONTENT);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));

        new CredentialsFile(path).read();

        assertThat(permissions(path)).isEqualTo("rw-------");
    }

    @Test
    void treatsInvalidContentAsMissing() throws IOException {
        Path path = directory.resolve("credentials.json");
        CredentialsFile file = new CredentialsFile(path);

        assertThat(file.read()).isEmpty();
        for (String content : new String[] {"", "null", "not json", "[]", "{\"user\":\"admin\"}", "x".repeat(20_000)}) {
            Files.writeString(path, content);
            assertThat(file.read()).as(content).isEmpty();
        }
    }

    @Test
    void namesSettingOfUnwritableFile() throws IOException {
        Files.writeString(directory.resolve("file"), "");

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> new CredentialsFile(directory.resolve("file/credentials.json")).write(CONTENT))
                .withMessageContaining("orth.credentials-file");
    }

    @Test
    void doesNotShowSecretsInItsText() {
        assertThat(new CredentialsFile.Content("admin", "secret-p", "secret-t").toString())
                .doesNotContain("secret");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
