package io.orth.glue.groovy;

import groovy.lang.Binding;
import groovy.lang.Script;
import io.orth.executor.GlueInjector;
import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;

/** A handler backed by a Groovy script. Each run gets a new object with its own variables, so runs share nothing. */
final class GroovyScriptHandler implements JobHandler {

    private final Class<? extends Script> type;
    private final GlueInjector injector;

    GroovyScriptHandler(Class<? extends Script> type, GlueInjector injector) {
        this.type = type;
        this.injector = injector;
    }

    /** The script's last value is the result if it is a {@link RunResult}; any other value is ignored. */
    @Override
    public RunResult execute(OrthJobContext context) throws Exception {
        Script script = type.getDeclaredConstructor().newInstance();
        Binding variables = new Binding();
        variables.setVariable("context", context);
        script.setBinding(variables);
        injector.inject(script);
        return script.run() instanceof RunResult result ? result : RunResult.success();
    }
}
