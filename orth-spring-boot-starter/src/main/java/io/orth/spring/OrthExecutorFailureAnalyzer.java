package io.orth.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports an invalid property in one sentence instead of a stack trace. */
final class OrthExecutorFailureAnalyzer extends AbstractFailureAnalyzer<InvalidExecutorPropertyException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidExecutorPropertyException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Correct the property, or set %s.enabled=false to start without an executor."
                        .formatted(OrthExecutorProperties.PREFIX),
                cause);
    }
}
