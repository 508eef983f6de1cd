package io.orth.admin.boot;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Holds where no database is named, so that Orth has to run its own. */
final class NoDatabaseNamed implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata annotated) {
        return context.getEnvironment().getProperty("orth.database.url", "").isBlank();
    }
}
