package io.orth.executor;

/** Gives an object that was made from source text what it asks for, such as an application's beans for annotated fields. */
@FunctionalInterface
public interface GlueInjector {

    /** Leaves objects as they are. */
    GlueInjector NONE = target -> {};

    /** Called before the object does anything, on the thread that will initialise or run it. */
    void inject(Object target) throws Exception;
}
