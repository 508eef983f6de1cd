package io.orth.admin.boot;

import java.nio.file.Path;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The node as a whole.
 *
 * @param dataDir where this node keeps files: the embedded database and its credentials
 * @param environment what this installation is called in the console, such as test or production
 * @param lifeline {@code stdin}: stop when standard input ends, as the launcher's children do; {@code none} otherwise
 */
@ConfigurationProperties("orth")
record OrthProperties(
        @DefaultValue("orth-data") Path dataDir,
        @DefaultValue("") String environment,
        @DefaultValue("none") Lifeline lifeline) {

    /** What the process's life hangs on. */
    enum Lifeline {
        NONE,
        STDIN
    }
}
