/**
 * The protocol between admin and executor: messages as records, paths, headers, codes and their JSON. No I/O.
 *
 * <p>The first seven paths of an executor and the first three of an admin are those of XXL-JOB's wire (generations W2 and W3), so that
 * existing executors and admins can join. Orth's additions use extra fields and paths, which those ignore. Readers accept missing and
 * unknown fields; a field of the wrong type is rejected by name.
 */
package io.orth.protocol;
