/**
 * Jobs that code declares. A declaration is kept beside the ordinary job that it makes. The job follows the code for as long as
 * it is what the code said last; once a person has made it something else, it is the person's, and what differs is shown.
 *
 * <p>Which instance speaks for its group, and what else was considered, is in {@code docs/adr/0020-jobs-declared-in-code.md}.
 */
package io.orth.admin.declaration;
