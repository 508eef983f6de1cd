package io.orth.admin.completion;

import io.orth.admin.run.Run;
import java.util.List;

/**
 * Runs were committed that follow others.
 *
 * @param children to be sent at once
 * @param retries to be sent when their time has come
 */
record FollowUpsMade(List<Run> children, List<Run> retries) {}
