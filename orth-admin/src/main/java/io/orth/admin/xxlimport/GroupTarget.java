package io.orth.admin.xxlimport;

import java.util.List;

/**
 * The Orth group of an XXL-JOB group's jobs.
 *
 * @param id null if a dry run would create the group
 * @param addresses the only executors that may execute their runs; empty for all of the group
 */
record GroupTarget(Integer id, String name, String appName, List<String> addresses) {}
