/**
 * The journal of every change of state, written in the transaction that made the change, so that the journal and the
 * tables can never disagree. Entity and sequence identify a row; the sequence has no gaps.
 */
package io.orth.admin.transition;
