package io.orth.admin.xxlimport;

import java.util.Map;

/** Which row of which XXL-JOB installation a job is imported from; {@code row} has its {@link RowFields fields}. */
record JobSourceLink(String installation, int sourceId, Map<String, String> row) {}
