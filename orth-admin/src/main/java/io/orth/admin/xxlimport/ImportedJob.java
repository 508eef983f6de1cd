package io.orth.admin.xxlimport;

import java.util.Map;

/** A job imported earlier, in its current state, with its XXL-JOB row at the time of the import (see {@link RowFields}). */
record ImportedJob(int jobId, String groupName, String name, boolean enabled, Map<String, String> row) {}
