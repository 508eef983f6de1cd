/**
 * Job definitions: what runs, when, and what happens to instants that were missed. When a job fires is decided elsewhere;
 * here it is only known when it is due next ({@code next_fire_at}), which is null while the job is stopped or has no
 * schedule.
 */
package io.orth.admin.job;
