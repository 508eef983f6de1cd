package io.orth.executor;

/**
 * Compiles source text of one type into handlers that run inside the executor's JVM. Found with {@link java.util.ServiceLoader}
 * when the executor starts; used only if {@link ScriptOptions#glueEnabled} is set.
 */
public interface GlueHandlerFactory {

    /** Returns the source type that this factory compiles, as triggers name it, such as {@code GLUE_GROOVY}. */
    String glueType();

    /**
     * Compiles the source. Called on a job thread, once per version of the source. Implementations must not keep a reference to
     * the returned handler; otherwise its classes cannot be unloaded.
     *
     * @param name a valid class name, the same for all versions of a job's source
     * @param injector must be applied to each object of the source's class before the object is used
     * @throws GlueSourceException if the source is invalid
     */
    JobHandler compile(String name, String source, GlueInjector injector) throws GlueSourceException;
}
