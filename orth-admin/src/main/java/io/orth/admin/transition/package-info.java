/**
 * The journal of state transitions and its relay. Each transition is written in the transaction that makes the change, so the journal and
 * the tables never disagree. The relay delivers transitions to sinks and watchers. Entity and sequence identify a transition; sequences
 * have no gaps.
 *
 * <pre>
 *   a change ──► orth_transition (kept for days)      TransitionJournal: both in the change's own transaction
 *        └─────► orth_journal, one row for each batch written together
 *                     │
 *                     │  TransitionRelay, on one node: gives each row its position, in the order of commits
 *                     ▼
 *                TransitionFeed ──► SinkFeeder ──► TransitionSink: file, stdout, webhooks    (orth_sink: position of each)
 *                     └───────────► watchers of the stream, on every node
 * </pre>
 */
package io.orth.admin.transition;
