/**
 * Fires due jobs. One pass claims due jobs (skipping rows that are locked), creates their runs and advances their next fire times in one
 * transaction. Therefore no fire is lost or duplicated if a node dies. Any number of nodes run passes concurrently.
 */
package io.orth.admin.scheduling;
