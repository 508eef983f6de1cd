package io.orth.executor;

import io.orth.protocol.DeclaredJob;
import io.orth.protocol.DeclaredJobs;
import io.orth.protocol.Json;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The handlers of one executor and the jobs that its code declares, fixed once it has started. Lambdas and {@link OrthJob}
 * methods all register here.
 */
public final class HandlerRegistry {

    private final Map<String, JobHandler> byName;

    private final Map<String, JobDeclaration> declared;

    private HandlerRegistry(Builder builder) {
        this.byName = Map.copyOf(builder.byName);
        this.declared = Map.copyOf(builder.declared);
    }

    public Optional<JobHandler> find(String name) {
        return name == null ? Optional.empty() : Optional.ofNullable(byName.get(name));
    }

    public Set<String> names() {
        return byName.keySet();
    }

    /** The names of the jobs that the code declares. */
    public Set<String> declaredJobs() {
        return declared.keySet();
    }

    /** By name; a cron expression that names no zone is read in this one. */
    List<DeclaredJob> declarations(ZoneId zone) {
        return declared.values().stream()
                .sorted(Comparator.comparing(JobDeclaration::job))
                .map(job -> job.toWire(zone))
                .toList();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects handlers; a bad set of names fails here, not when a job first fires. */
    public static final class Builder {

        private final Map<String, JobHandler> byName = new LinkedHashMap<>();
        private final Map<String, JobDeclaration> declared = new LinkedHashMap<>();

        private Builder() {}

        /**
         * Adds a handler, and the job that an {@link OrthJob} method declares with it.
         *
         * @param name up to 200 printable characters, as jobs refer to the handler
         */
        public Builder add(String name, JobHandler handler) {
            HandlerName.check(name, handler);
            JobHandler other = byName.putIfAbsent(name, handler);
            if (other != null) {
                throw new IllegalArgumentException(
                        "two handlers are named '%s': %s and %s".formatted(name, other, handler));
            }
            if (handler instanceof MethodJobHandler method) {
                method.declaration().ifPresent(this::declare);
            }
            return this;
        }

        /** Declares a job for the admin to make; its handler has to be added too. */
        public Builder declare(JobDeclaration job) {
            JobDeclaration other = declared.putIfAbsent(job.job(), job);
            if (other != null) {
                throw new IllegalArgumentException(
                        "the job '%s' is declared twice: by %s and by %s".formatted(job.job(), other, job));
            }
            return this;
        }

        /** Adds every {@link OrthJob} method of the object's class, its superclasses and its interfaces. */
        public Builder addMethodsOf(Object target) {
            return addMethodsOf(target, UnaryOperator.identity());
        }

        /**
         * The same, where the annotations' texts about declared jobs are not meant as they are written.
         *
         * @param texts makes the text that is meant, as by resolving placeholders
         */
        public Builder addMethodsOf(Object target, UnaryOperator<String> texts) {
            MethodJobHandler.allOf(target, texts).forEach(handler -> add(handler.name(), handler));
            return this;
        }

        public HandlerRegistry build() {
            for (JobDeclaration job : declared.values()) {
                if (!byName.containsKey(job.handler())) {
                    throw new IllegalArgumentException(
                            "%s: there is no handler '%s', only %s".formatted(job, job.handler(), byName.keySet()));
                }
            }
            HandlerRegistry registry = new HandlerRegistry(this);
            if (declared.size() > DeclaredJobs.MOST
                    || Json.write(registry.declarations(ZoneOffset.UTC)).length > DeclaredJobs.MOST_TEXT) {
                throw new IllegalArgumentException(
                        "%d jobs are declared; at most %d can be, with %d bytes of text in all"
                                .formatted(declared.size(), DeclaredJobs.MOST, DeclaredJobs.MOST_TEXT));
            }
            return registry;
        }
    }
}
