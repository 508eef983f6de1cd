/**
 * Who may do what, who is in, and what was done.
 *
 * <p>Promises: no password or token is stored, logged or answered in clear, except a new token once to its maker, and the
 * first credentials in a file of their owner; every admin node knows every session and token, because both live in the
 * database as hashes; a change of password or role, or disabling a user, ends that user's sessions in the same
 * transaction; there is always an enabled administrator once there was one; a guess is counted before it is checked.
 *
 * <p>Throttling counts in this node's memory only: with N nodes behind a balancer a guesser has N times the tries.
 */
package io.orth.admin.security;
