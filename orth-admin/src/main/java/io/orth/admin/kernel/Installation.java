package io.orth.admin.kernel;

import java.nio.file.Path;

/**
 * The installation this node belongs to.
 *
 * @param environment display name such as test or production; may be empty
 * @param database {@code embedded} or {@code external}
 * @param dataDir directory of this node's files
 */
public record Installation(String environment, String database, Path dataDir) {}
