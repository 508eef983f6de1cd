package io.orth.admin.boot;

import io.orth.postgres.EmbeddedPostgresException;
import java.sql.SQLException;
import java.util.Optional;
import org.flywaydb.core.api.FlywayException;
import org.springframework.boot.SpringBootExceptionReporter;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindException;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.NestedExceptionUtils;

/** Reporter that explains in one sentence why the admin does not start, if the operator can fix the cause. */
final class StartFailureReporter implements SpringBootExceptionReporter {

    private final ConfigurableApplicationContext context;

    StartFailureReporter(ConfigurableApplicationContext context) {
        this.context = context;
    }

    @Override
    public boolean reportException(Throwable failure) {
        Optional<String> sentence = explain(failure);
        sentence.ifPresent(text -> System.err.println("orth: " + text));
        return sentence.isPresent();
    }

    private Optional<String> explain(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof StartFailure || cause instanceof EmbeddedPostgresException) {
                return Optional.of(cause.getMessage());
            }
            if (cause instanceof PortInUseException port) {
                return Optional.of("port %d is in use: choose another with --server.port".formatted(port.getPort()));
            }
            if (cause instanceof ConfigurationPropertiesBindException) {
                return Optional.of("the configuration is wrong: " + wrongValue(cause));
            }
            if (cause instanceof FlywayException
                    && !(NestedExceptionUtils.getMostSpecificCause(cause) instanceof SQLException)) {
                return Optional.of(
                        "the database's schema cannot be brought up to date: " + StartFailure.firstLine(cause));
            }
            if (cause instanceof SQLException sql) {
                return Optional.of("cannot use the database %s: %s"
                        .formatted(
                                context.getEnvironment().getProperty("orth.database.url", ""),
                                StartFailure.firstLine(sql)));
            }
        }
        return Optional.empty();
    }

    /** Describes an invalid value. Orth's own checks name their key; for a value of the wrong type, only the {@link BindException} does. */
    private static String wrongValue(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BindException bind && bind.getProperty() != null) {
                return "%s cannot be '%s'"
                        .formatted(bind.getName(), bind.getProperty().getValue());
            }
        }
        return NestedExceptionUtils.getMostSpecificCause(failure).getMessage();
    }
}
