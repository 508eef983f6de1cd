/**
 * For tests of Orth and of what is built on it: a clock that a test moves, a real and clean database for every test,
 * stand-ins for the admin and for an executor.
 */
package io.orth.testkit;
