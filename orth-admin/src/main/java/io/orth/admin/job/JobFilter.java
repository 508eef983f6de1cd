package io.orth.admin.job;

/**
 * Which jobs to list, in order of their ids.
 *
 * @param text part of the name or the handler; null for any
 * @param after only jobs with a higher id
 */
public record JobFilter(String text, Integer groupId, Boolean enabled, int after, int limit) {}
