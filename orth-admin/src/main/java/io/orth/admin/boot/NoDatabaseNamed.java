package io.orth.admin.boot;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Condition that holds if no database URL is configured, so that Orth runs an embedded PostgreSQL. */
final class NoDatabaseNamed implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata annotated) {
        return context.getEnvironment().getProperty("orth.database.url", "").isBlank();
    }
}
