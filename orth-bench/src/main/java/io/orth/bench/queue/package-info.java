/** How fast queues and the pipelines on them are: how many messages or tasks a second, and how soon one is begun. */
package io.orth.bench.queue;
