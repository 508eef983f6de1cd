/** What a benchmark starts: a PostgreSQL that counts, an admin, other programs, each a process of its own. */
package io.orth.bench.installation;
