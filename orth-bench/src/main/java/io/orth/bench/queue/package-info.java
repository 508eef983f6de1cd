/** How fast queues are: how many messages a second, and how soon one is begun. */
package io.orth.bench.queue;
