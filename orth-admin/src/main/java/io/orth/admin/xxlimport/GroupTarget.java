package io.orth.admin.xxlimport;

import java.util.List;

/**
 * Where the jobs of a foreign group go.
 *
 * @param id null where the group would be made
 * @param addresses the only executors that may take their runs; empty for all of the group
 */
record GroupTarget(Integer id, String name, String appName, List<String> addresses) {}
