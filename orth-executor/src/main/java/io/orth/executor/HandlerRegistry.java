package io.orth.executor;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The handlers of one executor, fixed once it has started. Lambdas and {@link OrthJob} methods all register here. */
public final class HandlerRegistry {

    private final Map<String, JobHandler> byName;

    private HandlerRegistry(Map<String, JobHandler> byName) {
        this.byName = Map.copyOf(byName);
    }

    public Optional<JobHandler> find(String name) {
        return name == null ? Optional.empty() : Optional.ofNullable(byName.get(name));
    }

    public Set<String> names() {
        return byName.keySet();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects handlers; a bad set of names fails here, not when a job first fires. */
    public static final class Builder {

        private final Map<String, JobHandler> byName = new LinkedHashMap<>();

        private Builder() {}

        /** @param name up to 200 printable characters, as jobs refer to the handler */
        public Builder add(String name, JobHandler handler) {
            HandlerName.check(name, handler);
            JobHandler other = byName.putIfAbsent(name, handler);
            if (other != null) {
                throw new IllegalArgumentException(
                        "two handlers are named '%s': %s and %s".formatted(name, other, handler));
            }
            return this;
        }

        /** Adds every {@link OrthJob} method of the object's class, its superclasses and its interfaces. */
        public Builder addMethodsOf(Object target) {
            MethodJobHandler.allOf(target).forEach(handler -> add(handler.name(), handler));
            return this;
        }

        public HandlerRegistry build() {
            return new HandlerRegistry(byName);
        }
    }
}
