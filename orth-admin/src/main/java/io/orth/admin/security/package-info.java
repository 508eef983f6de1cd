/**
 * Users, roles, sessions, API tokens and the audit log.
 *
 * <p>Guarantees:
 *
 * <ul>
 *   <li>No password or token is stored, logged or returned in clear text, except a new token once to its creator, and the initial
 *       credentials in a file readable by its owner only.
 *   <li>Every admin node knows every session and token, because both are stored in the database as hashes.
 *   <li>Changing a password or role, or disabling a user, ends the user's sessions in the same transaction.
 *   <li>Once there is an enabled administrator, there is always one.
 *   <li>A login attempt is counted before it is checked.
 * </ul>
 *
 * <p>Throttling counts in this node's memory only: with N nodes behind a load balancer, an attacker has N times the attempts.
 */
package io.orth.admin.security;
