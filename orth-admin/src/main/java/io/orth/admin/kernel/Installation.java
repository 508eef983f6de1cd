package io.orth.admin.kernel;

import java.nio.file.Path;

/**
 * The installation this node belongs to.
 *
 * @param environment what it is called, such as test or production; may be empty
 * @param database {@code embedded} or {@code external}
 * @param dataDir where this node keeps files
 */
public record Installation(String environment, String database, Path dataDir) {}
