package io.orth.glue.groovy;

import groovy.lang.GroovyClassLoader;
import groovy.lang.GroovyCodeSource;
import groovy.lang.Script;
import io.orth.executor.GlueHandlerFactory;
import io.orth.executor.GlueInjector;
import io.orth.executor.GlueSourceException;
import io.orth.executor.JobHandler;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.codehaus.groovy.control.CompilationFailedException;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.control.MultipleCompilationErrorsException;
import org.codehaus.groovy.control.customizers.ImportCustomizer;
import org.codehaus.groovy.control.messages.SyntaxErrorMessage;
import org.codehaus.groovy.syntax.SyntaxException;

/**
 * Compiles Groovy. The source is either a class that implements {@link JobHandler}, or a script that is executed for each run and
 * reads the context from the variable {@code context}. Each version has its own class loader, which is unloaded with the handler.
 */
public final class GroovyHandlerFactory implements GlueHandlerFactory {

    private static final String CODE_BASE = "/orth/glue";

    /** Loads the application's classes. Captured when the executor starts, because lanes are started from arbitrary threads. */
    private final ClassLoader parent = Objects.requireNonNullElse(
            Thread.currentThread().getContextClassLoader(), GroovyHandlerFactory.class.getClassLoader());

    @Override
    public String glueType() {
        return "GLUE_GROOVY";
    }

    @Override
    public JobHandler compile(String name, String source, GlueInjector injector) throws GlueSourceException {
        GroovyClassLoader loader = new GroovyClassLoader(parent, configuration());
        GroovyCodeSource code = new GroovyCodeSource(source, name + ".groovy", CODE_BASE);
        code.setCachable(false);
        try {
            Class<?> main = loader.parseClass(code);
            return handlerOf(main, loader.getLoadedClasses(), injector);
        } catch (MultipleCompilationErrorsException e) {
            throw new GlueSourceException(mistakes(e));
        } catch (CompilationFailedException | LinkageError e) {
            throw new GlueSourceException("the Groovy source does not compile: " + e.getMessage());
        }
    }

    private static CompilerConfiguration configuration() {
        CompilerConfiguration configuration = new CompilerConfiguration();
        configuration.addCompilationCustomizers(new ImportCustomizer().addStarImports("io.orth.executor"));
        return configuration;
    }

    private static JobHandler handlerOf(Class<?> main, Class<?>[] all, GlueInjector injector)
            throws GlueSourceException {
        if (Script.class.isAssignableFrom(main)) {
            return new GroovyScriptHandler(main.asSubclass(Script.class), injector);
        }
        List<Class<?>> handlers = isHandler(main)
                ? List.of(main)
                : Stream.of(all).filter(GroovyHandlerFactory::isHandler).toList();
        if (handlers.size() != 1) {
            throw new GlueSourceException(
                    "the Groovy source needs one class that implements io.orth.executor.JobHandler, or statements; it has %d such classes"
                            .formatted(handlers.size()));
        }
        return new GroovyClassHandler(handlers.get(0).asSubclass(JobHandler.class), injector);
    }

    private static boolean isHandler(Class<?> type) {
        return JobHandler.class.isAssignableFrom(type) && !Modifier.isAbstract(type.getModifiers());
    }

    private static String mistakes(MultipleCompilationErrorsException e) {
        StringBuilder text = new StringBuilder("the Groovy source does not compile:");
        for (Object message : e.getErrorCollector().getErrors()) {
            text.append('\n').append(mistake(message));
        }
        return text.toString();
    }

    private static String mistake(Object message) {
        if (message instanceof SyntaxErrorMessage syntax) {
            SyntaxException cause = syntax.getCause();
            return "line %d, column %d: %s"
                    .formatted(
                            cause.getStartLine(),
                            cause.getStartColumn(),
                            cause.getOriginalMessage().strip());
        }
        return String.valueOf(message);
    }
}
