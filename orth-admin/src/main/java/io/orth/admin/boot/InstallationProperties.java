package io.orth.admin.boot;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the installation.
 *
 * @param startPaused marks the database as a new installation at this start, and pauses it; for a copy that cannot be distinguished from
 *     its original, such as a disk snapshot
 */
@ConfigurationProperties("orth.installation")
record InstallationProperties(@DefaultValue("false") boolean startPaused) {}
