package io.orth.admin.boot;

import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the node as a whole.
 *
 * @param dataDir directory of this node's files: the embedded database and its credentials
 * @param environment name of this installation in the console, such as test or production
 * @param lifeline {@code stdin} to stop when standard input ends, as processes started by the launcher do; {@code none} otherwise
 */
@ConfigurationProperties("orth")
record OrthProperties(
        @DefaultValue("orth-data") Path dataDir,
        @DefaultValue("") String environment,
        @DefaultValue("none") Lifeline lifeline) {

    /** Condition on which the process keeps running. */
    enum Lifeline {
        NONE,
        STDIN
    }
}
