package io.orth.admin.xxlimport;

import java.util.Map;

/** Origin of an imported job: its XXL-JOB installation and row; {@code row} holds its {@link RowFields fields}. */
record JobSourceLink(String installation, int sourceId, Map<String, String> row) {}
