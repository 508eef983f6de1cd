/**
 * The journal of every change of state, written in the transaction that made the change, so that the journal and the tables can
 * never disagree; and the relay that tells everybody who wants to know. Entity and sequence identify a change; the sequence has
 * no gaps.
 *
 * <pre>
 *   a change ──► orth_transition (kept for days)      TransitionJournal: both in the change's own transaction
 *        └─────► orth_journal, one row for all that was written at once
 *                     │
 *                     │  TransitionRelay, on one node: gives each row its position, in the order of commits
 *                     ▼
 *                TransitionFeed ──► SinkFeeder ──► TransitionSink: file, stdout, webhooks    (orth_sink: how far each has come)
 *                     └───────────► watchers of the stream, on every node
 * </pre>
 */
package io.orth.admin.transition;
