/**
 * What admin and executor say to each other: messages as records, paths, headers, codes and their JSON. No I/O.
 *
 * <p>The first seven paths of an executor and the first three of an admin are those of XXL-JOB's wire (generations W2 and
 * W3), so that existing executors and admins can join; everything Orth adds travels in extra fields and extra paths, which
 * they ignore. Readers accept missing and unknown fields; a field of the wrong type is refused with its name.
 */
package io.orth.protocol;
