package io.orth.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports an invalid property in one sentence instead of a stack trace. */
final class OrthClientFailureAnalyzer extends AbstractFailureAnalyzer<InvalidClientPropertyException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidClientPropertyException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Correct the property, or leave %s.token empty to start without a client."
                        .formatted(OrthClientProperties.PREFIX),
                cause);
    }
}
