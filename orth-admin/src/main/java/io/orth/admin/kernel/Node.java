package io.orth.admin.kernel;

/**
 * This process among the admins: new at every start.
 *
 * @param id host, process id and a random part, so that logs and journal rows can be read without a lookup
 */
public record Node(String id, String host, long pid, String version) {}
