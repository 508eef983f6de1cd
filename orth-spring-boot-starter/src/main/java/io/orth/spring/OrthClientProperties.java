package io.orth.spring;

import io.orth.client.OrthClient;
import io.orth.client.TransactionalQueues;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings of the application's client for Orth's API.
 *
 * @param admins Addresses of the admins; those of the executor if empty.
 * @param token An API token; pushing messages requires the role operator. Without a token there is no client.
 * @param timeout Timeout of a request to one admin.
 * @param retries Number of further rounds over all admins if none has responded.
 * @param schema The schema of Orth's tables, for messages pushed in a transaction; if empty, the connection's search path
 *     decides.
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
     * @param otherwise default admins if none is configured
     * @throws InvalidClientPropertyException if a value is invalid; the message names its key
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
