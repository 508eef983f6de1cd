/**
 * Jobs whose source is Groovy. The module is found by the executor when it is on the class path; nothing here is called by
 * applications.
 */
package io.orth.glue.groovy;
