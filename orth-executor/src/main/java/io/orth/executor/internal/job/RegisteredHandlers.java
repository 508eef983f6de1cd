package io.orth.executor.internal.job;

import io.orth.executor.HandlerRegistry;
import io.orth.executor.JobHandler;
import io.orth.protocol.GlueType;
import io.orth.protocol.TriggerRequest;

/** The handlers that the application has registered by name. */
public final class RegisteredHandlers implements HandlerSource {

    private final HandlerRegistry registry;

    public RegisteredHandlers(HandlerRegistry registry) {
        this.registry = registry;
    }

    @Override
    public JobHandler handlerOf(TriggerRequest trigger) throws NoHandlerException {
        String type = trigger.glue().type();
        if (!type.equals(GlueType.BEAN.name())) {
            throw new NoHandlerException("glueType[%s] is not valid.".formatted(type));
        }
        return registry.find(trigger.handler())
                .orElseThrow(() -> new NoHandlerException("job handler [%s] not found.".formatted(trigger.handler())));
    }
}
