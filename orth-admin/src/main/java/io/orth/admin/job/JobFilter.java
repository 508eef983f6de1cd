package io.orth.admin.job;

/** Which jobs to list, by id: {@code text} is part of the name or handler; null stands for any. Ids are above {@code after}. */
public record JobFilter(String text, Integer groupId, Boolean enabled, int after, int limit) {}
