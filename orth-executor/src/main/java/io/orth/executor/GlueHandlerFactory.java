package io.orth.executor;

/**
 * Makes handlers from source text of one type that runs inside the executor's JVM. Found with {@link java.util.ServiceLoader} when
 * the executor starts, and used only if {@link ScriptOptions#glueEnabled} is set.
 */
public interface GlueHandlerFactory {

    /** The type of source it understands, as triggers name it, such as {@code GLUE_GROOVY}. */
    String glueType();

    /**
     * Compiles the source. Called on a job's thread, once per version of the source. It must not hold on to what it returns, so
     * that old versions can be unloaded.
     *
     * @param name a valid class name that stays the same for all versions of one job's source
     * @param injector is applied to each object of the source's class before it is used
     * @throws GlueSourceException if the source is wrong
     */
    JobHandler compile(String name, String source, GlueInjector injector) throws GlueSourceException;
}
