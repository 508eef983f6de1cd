/**
 * Firing what is due. One pass claims due jobs (rows locked, others skipped), makes their runs and moves their next instant
 * in one transaction; so no instant is fired twice and none is swallowed, whatever dies when. Any number of nodes do this at
 * once.
 */
package io.orth.admin.scheduling;
