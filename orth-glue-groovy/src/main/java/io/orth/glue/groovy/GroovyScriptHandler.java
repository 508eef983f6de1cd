package io.orth.glue.groovy;

import groovy.lang.Binding;
import groovy.lang.Script;
import io.orth.executor.GlueInjector;
import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;

/** Groovy statements: a new object with variables of its own for each run, so runs never share anything. */
final class GroovyScriptHandler implements JobHandler {

    private final Class<? extends Script> type;
    private final GlueInjector injector;

    GroovyScriptHandler(Class<? extends Script> type, GlueInjector injector) {
        this.type = type;
        this.injector = injector;
    }

    /** A script's last value is its result if it is one; any other value means nothing. */
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
