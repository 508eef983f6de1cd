package io.orth.admin.security;

import java.nio.file.Path;
import java.util.Optional;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Settings of the initial credentials.
 *
 * @param credentialsFile file for the credentials and API token of a first administrator; if null, a setup code is logged instead
 */
@ConfigurationProperties("orth")
record FirstStartProperties(Path credentialsFile) {

    Optional<Path> file() {
        return Optional.ofNullable(credentialsFile);
    }
}
