package io.orth.executor.internal.script;

import io.orth.executor.ExecutorOptions;
import io.orth.executor.GlueHandlerFactory;
import io.orth.executor.GlueInjector;
import io.orth.executor.JobHandler;
import io.orth.executor.ScriptLanguage;
import io.orth.executor.ScriptOptions;
import io.orth.executor.internal.job.HandlerSource;
import io.orth.protocol.Glue;
import io.orth.protocol.GlueType;
import io.orth.protocol.TriggerRequest;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds handlers for all types of triggers: handlers of the application by name, and handlers created from source text if the
 * options allow it.
 */
public final class SourceHandlers implements HandlerSource {

    /** In characters. */
    static final int LONGEST_SOURCE = 1_048_576;

    private static final int MAX_HANDLERS = 1_000;
    private static final long MAX_CHARACTERS = 32L * LONGEST_SOURCE;
    private static final int LONGEST_TYPE_TO_REPEAT = 64;

    private final HandlerSource registered;
    private final ScriptOptions options;
    private final ScriptFiles files;
    private final ScriptRunner runner;
    private final Map<String, GlueHandlerFactory> factories = new HashMap<>();
    private final GlueInjector injector;
    private final HandlerCache cache = new HandlerCache(MAX_HANDLERS, MAX_CHARACTERS);

    /** @param registered handlers for triggers of type BEAN */
    public SourceHandlers(
            HandlerSource registered,
            ExecutorOptions options,
            ZoneId zone,
            Iterable<GlueHandlerFactory> factories,
            GlueInjector injector) {
        this.registered = registered;
        this.options = options.scripts();
        this.files = new ScriptFiles(options.logPath().resolve("gluesource"));
        this.runner = new ScriptRunner(
                new ScriptCommand(options.scripts(), new ScriptEnvironment(options.accessToken(), zone)),
                ScriptRunner.Timing.DEFAULT);
        if (this.options.glueEnabled()) {
            factories.forEach(factory -> this.factories.put(factory.glueType(), factory));
        }
        this.injector = injector;
    }

    @Override
    public JobHandler handlerOf(TriggerRequest trigger) throws NoHandlerException {
        GlueType type = typeOf(trigger.glue().type());
        if (type == GlueType.BEAN) {
            return registered.handlerOf(trigger);
        }
        Optional<ScriptLanguage> language = ScriptLanguage.of(type);
        return language.isPresent() ? script(language.get(), trigger) : glue(type, trigger);
    }

    /** Ends the processes of scripts whose runs have been abandoned. */
    public void stop() {
        runner.endAll();
    }

    private JobHandler script(ScriptLanguage language, TriggerRequest trigger) throws NoHandlerException {
        if (!options.enabled()) {
            throw notAllowed(language.glueType(), "orth.executor.scripts.enabled is false");
        }
        if (trigger.params().indexOf('\0') >= 0) {
            throw new NoHandlerException("the parameter contains a NUL character, which no program can be given");
        }
        Glue glue = checked(trigger.glue());
        ScriptFile file = new ScriptFile(trigger.jobId(), glue.updatedAt(), language);
        return cache.handlerOf(trigger.jobId(), glue, () -> new ScriptJobHandler(file, glue.source(), files, runner));
    }

    private JobHandler glue(GlueType type, TriggerRequest trigger) throws NoHandlerException {
        if (!options.glueEnabled()) {
            throw notAllowed(type, "orth.executor.glue.enabled is false");
        }
        GlueHandlerFactory factory = factories.get(type.name());
        if (factory == null) {
            throw notAllowed(type, "no module for it is installed");
        }
        Glue glue = checked(trigger.glue());
        return cache.handlerOf(
                trigger.jobId(), glue, () -> new GlueJobHandler(trigger.jobId(), glue.source(), factory, injector));
    }

    private static GlueType typeOf(String name) throws NoHandlerException {
        return Arrays.stream(GlueType.values())
                .filter(type -> type.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new NoHandlerException("glueType[%s] is not valid."
                        .formatted(name.substring(0, Math.min(name.length(), LONGEST_TYPE_TO_REPEAT)))));
    }

    private static Glue checked(Glue glue) throws NoHandlerException {
        String source = glue.source();
        if (source == null || source.isBlank()) {
            throw new NoHandlerException("the trigger has no source to run");
        }
        if (source.length() > LONGEST_SOURCE) {
            throw new NoHandlerException(
                    "the source has %,d characters, more than %,d".formatted(source.length(), LONGEST_SOURCE));
        }
        return glue;
    }

    private static NoHandlerException notAllowed(GlueType type, String why) {
        return new NoHandlerException("glueType[%s] is not allowed on this executor: %s".formatted(type, why));
    }
}
