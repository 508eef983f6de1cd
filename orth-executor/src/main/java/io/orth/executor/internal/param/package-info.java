/**
 * A job's parameter as a record: what an {@code @OrthJob} method with a record argument gets.
 *
 * <p>A record's type is read once, when the handler is registered, so a component that no JSON fits is found at the start. The
 * parameter is read strictly: what does not fit is named, nothing is guessed.
 */
package io.orth.executor.internal.param;
