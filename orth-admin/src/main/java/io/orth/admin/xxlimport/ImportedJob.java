package io.orth.admin.xxlimport;

import java.util.Map;

/**
 * A job that was imported before, as it is now.
 *
 * @param row the fields of its row in XXL-JOB when it was imported; see {@link RowFields}
 */
record ImportedJob(int jobId, String groupName, String name, boolean enabled, Map<String, String> row) {}
