/** Whether people find runs as quickly among millions. */
package io.orth.bench.history;
