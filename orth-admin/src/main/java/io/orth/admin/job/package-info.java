/**
 * Job definitions: what runs, when, and how missed fires are handled. Other packages fire the jobs; this package only stores when a job is
 * due next ({@code next_fire_at}), which is null while the job is stopped or has no schedule.
 */
package io.orth.admin.job;
