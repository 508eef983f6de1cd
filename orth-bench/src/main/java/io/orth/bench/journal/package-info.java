/** What the benchmark of the journal adds to an admin. */
package io.orth.bench.journal;
