package io.orth.admin.security;

import java.nio.file.Path;
import java.util.Optional;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Where the first credentials go.
 *
 * @param credentialsFile written with a first administrator and an API token; without it a set-up code is logged instead
 */
@ConfigurationProperties("orth")
record FirstStartProperties(Path credentialsFile) {

    Optional<Path> file() {
        return Optional.ofNullable(credentialsFile);
    }
}
