/**
 * Jobs declared in code. A declaration is stored beside the ordinary job that it creates. The job follows the declaration as long as it
 * matches the last accepted one. After a user has changed the job, it keeps the user's values, and the differences are shown.
 *
 * <p>{@code docs/adr/0020-jobs-declared-in-code.md} explains which instance declares for its group, and lists the rejected alternatives.
 */
package io.orth.admin.declaration;
