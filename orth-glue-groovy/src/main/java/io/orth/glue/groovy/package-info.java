/** Support for jobs whose source is Groovy. The executor finds this module on the class path; applications call nothing in it. */
package io.orth.glue.groovy;
