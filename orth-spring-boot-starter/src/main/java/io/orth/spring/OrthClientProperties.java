package io.orth.spring;

import io.orth.client.OrthClient;
import io.orth.client.TransactionalQueues;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How the application talks to Orth's API.
 *
 * @param admins Addresses of the admins; those of the executor if empty.
 * @param token An API token, with the role operator to push messages. Without it there is no client.
 * @param timeout How long one admin may take to answer.
 * @param retries How often all admins are tried again when none has answered.
 * @param schema The schema of Orth's tables, for messages that are pushed in a transaction; if empty, the connection's search path decides.
 */
@ConfigurationProperties(OrthClientProperties.PREFIX)
public record OrthClientProperties(
        @DefaultValue List<String> admins,
        @DefaultValue("") String token,
        @DefaultValue("10s") Duration timeout,
        @DefaultValue("2") int retries,
        @DefaultValue(TransactionalQueues.DEFAULT_SCHEMA) String schema) {

    static final String PREFIX = "orth.client";

    /**
     * @param otherwise the admins where none is named
     * @throws InvalidClientPropertyException naming the key whose value cannot be used
     */
    OrthClient toClient(List<String> otherwise) {
        try {
            return OrthClient.builder()
                    .admins(admins.isEmpty() ? otherwise : admins)
                    .token(token)
                    .timeout(timeout)
                    .retries(retries)
                    .build();
        } catch (IllegalArgumentException e) {
            throw new InvalidClientPropertyException(e.getMessage());
        }
    }
}
