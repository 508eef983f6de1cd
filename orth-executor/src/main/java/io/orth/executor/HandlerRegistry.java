package io.orth.executor;

import io.orth.executor.internal.job.MessageQueue;
import io.orth.executor.internal.pipeline.StageQueue;
import io.orth.protocol.DeclaredJob;
import io.orth.protocol.DeclaredJobs;
import io.orth.protocol.Json;
import java.lang.reflect.Method;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The handlers of an executor, the queues and pipeline stages it works on, and the jobs that its code declares. Lambdas and
 * {@link OrthJob}, {@link OrthQueue} and {@link OrthStage} methods are all registered here. Immutable.
 */
public final class HandlerRegistry {

    private final Map<String, JobHandler> byName;

    private final Map<String, JobDeclaration> declared;

    private final Map<String, MessageQueue> queues;

    /** Keyed by the name of the queue that delivers the stage's tasks. */
    private final Map<String, PipelineWorker> stages;

    private HandlerRegistry(Builder builder) {
        this.byName = Map.copyOf(builder.byName);
        this.declared = Map.copyOf(builder.declared);
        this.queues = builder.queues.values().stream()
                .map(this::queueOf)
                .collect(Collectors.toUnmodifiableMap(MessageQueue::name, Function.identity()));
        this.stages = Map.copyOf(builder.stages);
    }

    private MessageQueue queueOf(QueueWorker worker) {
        JobHandler handler = worker.handler(byName);
        return new MessageQueue(
                worker.queue(),
                handler,
                worker.concurrency(),
                worker.timeout(),
                worker.retryDelay().orElse(handler::retryDelay));
    }

    public Optional<JobHandler> find(String name) {
        return name == null ? Optional.empty() : Optional.ofNullable(byName.get(name));
    }

    public Set<String> names() {
        return byName.keySet();
    }

    /** Finds the handler of a queue. */
    public Optional<JobHandler> findQueue(String queue) {
        return Optional.ofNullable(queues.get(queue)).map(MessageQueue::handler);
    }

    /** Returns the names of the queues that the executor works on. */
    public Set<String> queues() {
        return queues.keySet();
    }

    Collection<MessageQueue> messageQueues() {
        return queues.values();
    }

    /** Returns the pipeline stages that the executor works on, such as {@code hydrateAll/topics}. */
    public Set<String> stages() {
        return stages.values().stream()
                .map(worker -> "%s/%s".formatted(worker.pipeline(), worker.stage()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns the queues that deliver the tasks of the stages. Internal; not for applications. */
    public List<StageQueue> stageQueues() {
        return stages.values().stream().map(PipelineWorker::stageQueue).toList();
    }

    /** Returns the names of the declared jobs. */
    public Set<String> declaredJobs() {
        return declared.keySet();
    }

    /** Returns the declarations ordered by name. A cron expression without a time zone uses {@code zone}. */
    List<DeclaredJob> declarations(ZoneId zone) {
        return declared.values().stream()
                .sorted(Comparator.comparing(JobDeclaration::job))
                .map(job -> job.toWire(zone))
                .toList();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Collects handlers. Duplicate and invalid names fail here, not when a job first fires. */
    public static final class Builder {

        private final Map<String, JobHandler> byName = new LinkedHashMap<>();
        private final Map<String, JobDeclaration> declared = new LinkedHashMap<>();
        private final Map<String, QueueWorker> queues = new LinkedHashMap<>();
        private final Map<String, PipelineWorker> stages = new LinkedHashMap<>();

        private Builder() {}

        /**
         * Adds a handler, and the job declaration of its {@link OrthJob} annotation, if any.
         *
         * @param name up to 200 printable characters; jobs refer to the handler by it
         * @throws IllegalArgumentException if the name is invalid or already in use
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

        /** Declares a job that the admin creates. Its handler has to be added too. */
        public Builder declare(JobDeclaration job) {
            JobDeclaration other = declared.putIfAbsent(job.job(), job);
            if (other != null) {
                throw new IllegalArgumentException(
                        "the job '%s' is declared twice: by %s and by %s".formatted(job.job(), other, job));
            }
            return this;
        }

        /** Adds the worker of a queue; each queue can have one. A handler that the worker refers to by name has to be added too. */
        public Builder addQueue(QueueWorker worker) {
            checkThatNobodyHas(worker.queue(), worker);
            queues.put(worker.queue(), worker);
            return this;
        }

        /** Adds the worker of a pipeline stage; each stage can have one and needs a queue of its own. */
        public Builder addStage(PipelineWorker worker) {
            checkThatNobodyHas(worker.queue(), worker);
            stages.put(worker.queue(), worker);
            return this;
        }

        private void checkThatNobodyHas(String queue, Object worker) {
            Object other = queues.containsKey(queue) ? queues.get(queue) : stages.get(queue);
            if (other != null) {
                throw new IllegalArgumentException(
                        "two workers are for the queue '%s': %s and %s".formatted(queue, other, worker));
            }
        }

        /**
         * Adds every {@link OrthJob}, {@link OrthQueue} and {@link OrthStage} method of the object's class, its superclasses and
         * its interfaces.
         *
         * @throws IllegalArgumentException if there is no such method, or if one of them is invalid
         */
        public Builder addMethodsOf(Object target) {
            return addMethodsOf(target, UnaryOperator.identity());
        }

        /**
         * Adds the annotated methods as {@link #addMethodsOf(Object)} does, and resolves the annotations' texts about declared
         * jobs, queues and stages.
         *
         * @param texts resolves a text, for example its placeholders
         */
        public Builder addMethodsOf(Object target, UnaryOperator<String> texts) {
            Class<?> type = target.getClass();
            MethodJobHandler.Target called = MethodJobHandler.Target.of(target);
            Map<Method, OrthJob> jobs = AnnotatedMethods.of(type, OrthJob.class);
            Map<Method, OrthQueue> workers = AnnotatedMethods.of(type, OrthQueue.class);
            Map<Method, OrthStage> stageWorkers = AnnotatedMethods.of(type, OrthStage.class);
            if (jobs.isEmpty() && workers.isEmpty() && stageWorkers.isEmpty()) {
                throw new IllegalArgumentException(
                        "%s has no @OrthJob, @OrthQueue or @OrthStage method".formatted(type.getName()));
            }
            jobs.forEach((method, job) -> add(job.value(), MethodJobHandler.of(job, called, method, texts)));
            workers.forEach((method, queue) -> addQueue(QueueWorker.of(queue, called, method, texts)));
            stageWorkers.forEach((method, stage) -> addStage(PipelineWorker.of(stage, called, method, texts)));
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
