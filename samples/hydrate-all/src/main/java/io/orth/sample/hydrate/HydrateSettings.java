package io.orth.sample.hydrate;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/** The stages with the settings of the environment, whose names begin with {@code HYDRATE_}. */
public final class HydrateSettings {

    private static final int MOST_REQUESTS = 100_000;
    private static final int MOST_RETRIES = 10;
    private static final int LONGEST_TIMEOUT_SECONDS = 3_600;

    private final Map<String, String> environment;

    private HydrateSettings(Map<String, String> environment) {
        this.environment = environment;
    }

    /**
     * Without settings it needs nobody: it writes by itself, and into files.
     *
     * @param contentDirectory where files go unless there is another setting
     * @throws IllegalArgumentException naming a setting that cannot be
     */
    public static HydrateAll from(Map<String, String> environment, Path contentDirectory) {
        HydrateSettings settings = new HydrateSettings(environment);
        Duration timeout =
                Duration.ofSeconds(settings.number("HYDRATE_TIMEOUT_SECONDS", 60, 1, LONGEST_TIMEOUT_SECONDS));
        int retries = settings.number("HYDRATE_RETRIES", 2, 0, MOST_RETRIES);
        return new HydrateAll(
                settings.has("HYDRATE_CATALOGUE")
                        ? Catalogue.at(Path.of(settings.text("HYDRATE_CATALOGUE")))
                        : Catalogue.builtIn(),
                settings.generator(timeout, retries),
                settings.store(contentDirectory),
                new Redaction(),
                timeout.multipliedBy(retries + 2L));
    }

    private ContentGenerator generator(Duration timeout, int retries) {
        if (!has("HYDRATE_BASE_URL")) {
            return new OfflineGenerator();
        }
        return new ChatGenerator(new ChatGenerator.Settings(
                address("HYDRATE_BASE_URL"),
                environment.get("HYDRATE_API_KEY"),
                environment.getOrDefault("HYDRATE_MODEL", "gpt-4o-mini"),
                number("HYDRATE_REQUESTS_PER_MINUTE", 60, 0, MOST_REQUESTS),
                timeout,
                retries,
                Duration.ofSeconds(1),
                Duration.ofSeconds(10)));
    }

    private ContentStore store(Path contentDirectory) {
        if (!has("HYDRATE_DB_URL")) {
            return new FileContentStore(
                    has("HYDRATE_CONTENT_DIR") ? Path.of(text("HYDRATE_CONTENT_DIR")) : contentDirectory);
        }
        try {
            return new JdbcContentStore(text("HYDRATE_DB_URL"), environment.get("HYDRATE_DB_USER"), password());
        } catch (SQLException e) {
            throw new IllegalArgumentException("HYDRATE_DB_URL: the database cannot be used: " + e.getMessage(), e);
        }
    }

    private String password() {
        if (!has("HYDRATE_DB_PASSWORD_FILE")) {
            return environment.get("HYDRATE_DB_PASSWORD");
        }
        Path file = Path.of(text("HYDRATE_DB_PASSWORD_FILE"));
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new IllegalArgumentException("HYDRATE_DB_PASSWORD_FILE: %s cannot be read".formatted(file), e);
        }
    }

    private boolean has(String name) {
        return !environment.getOrDefault(name, "").isBlank();
    }

    private String text(String name) {
        return environment.get(name).strip();
    }

    private URI address(String name) {
        String text = text(name);
        if (!text.matches("https?://.+")) {
            throw new IllegalArgumentException("%s must be an http or https address, got '%s'".formatted(name, text));
        }
        return URI.create(text);
    }

    private int number(String name, int otherwise, int least, int most) {
        if (!has(name)) {
            return otherwise;
        }
        try {
            int value = Integer.parseInt(text(name));
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException(
                "%s must be a number from %d to %d, got '%s'".formatted(name, least, most, text(name)));
    }
}
