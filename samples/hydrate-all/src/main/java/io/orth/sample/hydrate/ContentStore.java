package io.orth.sample.hydrate;

import java.util.Optional;

/** Where what was written is kept. Used by several threads at once; saving the same twice leaves it there once. */
interface ContentStore {

    /**
     * One text.
     *
     * @param ref its name, such as {@code topic/algebra-1-2/en}
     * @param sourceHash of what it was written for
     * @param generator the version of who wrote it
     */
    record Content(String ref, String language, String sourceHash, String generator, String body) {

        /** Whether the same would be written today. */
        boolean isFresh(Prompt prompt, ContentGenerator by) {
            return sourceHash.equals(prompt.hash()) && generator.equals(by.version());
        }
    }

    Optional<Content> find(String ref) throws Exception;

    void save(Content content) throws Exception;
}
