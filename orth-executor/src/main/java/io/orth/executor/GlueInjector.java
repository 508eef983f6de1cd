package io.orth.executor;

/** Injects dependencies into an object created from source text, for example an application's beans into annotated fields. */
@FunctionalInterface
public interface GlueInjector {

    /** Injects nothing. */
    GlueInjector NONE = target -> {};

    /** Injects the target's dependencies. Called before any other use of the object, on the thread that will initialize or run it. */
    void inject(Object target) throws Exception;
}
