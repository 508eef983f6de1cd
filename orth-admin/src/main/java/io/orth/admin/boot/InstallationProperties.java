package io.orth.admin.boot;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The installation that the database is.
 *
 * @param startPaused makes the database a new installation at this start, and pauses it; for a copy that cannot be told from its original,
 *     such as a snapshot of its disk
 */
@ConfigurationProperties("orth.installation")
record InstallationProperties(@DefaultValue("false") boolean startPaused) {}
