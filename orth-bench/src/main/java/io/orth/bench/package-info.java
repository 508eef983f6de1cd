/**
 * Measurements of the real programs, each a class that runs to the end, prints what it found and says whether that is good
 * enough. Every measurement starts processes of its own and leaves none behind.
 */
package io.orth.bench;
