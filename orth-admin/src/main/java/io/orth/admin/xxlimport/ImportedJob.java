package io.orth.admin.xxlimport;

import java.util.Map;

/** A job that was imported before, as it is now, and its row in XXL-JOB at the import (see {@link RowFields}). */
record ImportedJob(int jobId, String groupName, String name, boolean enabled, Map<String, String> row) {}
