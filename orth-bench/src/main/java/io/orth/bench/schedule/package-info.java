/**
 * Jobs that fire every second, held by Orth and by its peers on the same durable PostgreSQL: how late they start, whether each
 * due instant runs once, and what a run costs the database.
 */
package io.orth.bench.schedule;
