package io.orth.sample.hydrate;

import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** A file for each text, there as a whole or not at all. */
final class FileContentStore implements ContentStore {

    private final Path directory;

    FileContentStore(Path directory) {
        this.directory = directory;
    }

    @Override
    public Optional<Content> find(String ref) throws IOException {
        try {
            JsonObject json = Json.readObject(Files.readAllBytes(fileOf(ref)));
            return Optional.of(new Content(
                    ref,
                    json.requiredText("language"),
                    json.requiredText("sourceHash"),
                    json.requiredText("generator"),
                    json.requiredText("body")));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    @Override
    public void save(Content content) throws IOException {
        Files.createDirectories(directory);
        Path draft = directory.resolve(UUID.randomUUID() + ".draft");
        try {
            Files.write(
                    draft,
                    Json.write(Map.of(
                            "ref", content.ref(),
                            "language", content.language(),
                            "sourceHash", content.sourceHash(),
                            "generator", content.generator(),
                            "body", content.body())));
            Files.move(draft, fileOf(content.ref()), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    /** Whatever a reference holds, its file is in the directory. */
    private Path fileOf(String ref) {
        String readable = ref.replaceAll("[^A-Za-z0-9._-]", "_");
        UUID unique = UUID.nameUUIDFromBytes(ref.getBytes(StandardCharsets.UTF_8));
        return directory.resolve(readable.substring(0, Math.min(80, readable.length())) + "-" + unique + ".json");
    }
}
