package io.orth.admin.job;

/** Filter of a job list, ordered by id. {@code text} is part of the name or handler; null matches any job. Ids are above {@code after}. */
public record JobFilter(String text, Integer groupId, Boolean enabled, int after, int limit) {}
