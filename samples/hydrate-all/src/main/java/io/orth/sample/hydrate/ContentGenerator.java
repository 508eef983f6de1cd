package io.orth.sample.hydrate;

/** Writes. Used by several threads at once. */
interface ContentGenerator {

    /** Changes when it would write something else for the same prompt. */
    String version();

    /** @throws Exception as handlers throw: what is no {@code FailForGoodException} is tried again later */
    String generate(Prompt prompt, String traceparent) throws Exception;
}
