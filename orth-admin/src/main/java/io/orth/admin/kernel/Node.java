package io.orth.admin.kernel;

/**
 * Identity of this admin process; new at every start.
 *
 * @param id host, process id and a random part, so logs and journal rows are readable without a lookup
 */
public record Node(String id, String host, long pid, String version) {}
