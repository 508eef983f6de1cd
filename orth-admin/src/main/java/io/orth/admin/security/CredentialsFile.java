package io.orth.admin.security;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** File with the password and token of the first administrator. It is readable by its owner only and is replaced atomically. */
final class CredentialsFile {

    record Content(String user, String password, String apiToken) {

        @Override
        public String toString() {
            return "Content[user=" + user + "]";
        }
    }

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final long LONGEST = 16_384;

    private final Path path;
    private final JsonMapper json;

    CredentialsFile(Path path) {
        this.path = path.toAbsolutePath();
        this.json = JsonMapper.builder().build();
    }

    Path path() {
        return path;
    }

    /** Returns the content; empty if the file does not exist or contains something else. */
    Optional<Content> read() {
        try {
            if (Files.size(path) > LONGEST) {
                return Optional.empty();
            }
            restrict();
            return Optional.ofNullable(json.readValue(Files.readAllBytes(path), Content.class))
                    .filter(content -> content.apiToken() != null);
        } catch (NoSuchFileException | JacksonException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("orth.credentials-file %s cannot be read".formatted(path), e);
        }
    }

    void write(Content content) {
        try {
            Files.createDirectories(path.getParent());
            Path temporary = Files.createTempFile(path.getParent(), ".credentials", ".tmp", ownerOnly());
            try {
                writeDurably(temporary, json.writerWithDefaultPrettyPrinter().writeValueAsBytes(content));
                Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(temporary);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("orth.credentials-file %s cannot be written".formatted(path), e);
        }
    }

    private static void writeDurably(Path file, byte[] bytes) throws IOException {
        try (FileOutputStream out = new FileOutputStream(file.toFile())) {
            out.write(bytes);
            out.getFD().sync();
        }
    }

    private void restrict() throws IOException {
        if (hasPosixPermissions() && !Files.getPosixFilePermissions(path).equals(OWNER_ONLY)) {
            Files.setPosixFilePermissions(path, OWNER_ONLY);
        }
    }

    private FileAttribute<?>[] ownerOnly() {
        return hasPosixPermissions()
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                : new FileAttribute<?>[0];
    }

    private boolean hasPosixPermissions() {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
