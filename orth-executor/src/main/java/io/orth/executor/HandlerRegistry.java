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
 * The handlers of one executor, the queues and stages of pipelines it works on and the jobs that its code declares, fixed once it
 * has started. Lambdas, {@link OrthJob}, {@link OrthQueue} and {@link OrthStage} methods all register here.
 */
public final class HandlerRegistry {

    private final Map<String, JobHandler> byName;

    private final Map<String, JobDeclaration> declared;

    private final Map<String, MessageQueue> queues;

    /** By the name of the queue by which their tasks come. */
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

    /** The handler that works on the messages of this queue. */
    public Optional<JobHandler> findQueue(String queue) {
        return Optional.ofNullable(queues.get(queue)).map(MessageQueue::handler);
    }

    /** The names of the queues it works on. */
    public Set<String> queues() {
        return queues.keySet();
    }

    Collection<MessageQueue> messageQueues() {
        return queues.values();
    }

    /** The stages of pipelines it works on, such as {@code hydrateAll/topics}. */
    public Set<String> stages() {
        return stages.values().stream()
                .map(worker -> "%s/%s".formatted(worker.pipeline(), worker.stage()))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** How it works on these. */
    public List<StageQueue> stageQueues() {
        return stages.values().stream().map(PipelineWorker::stageQueue).toList();
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
        private final Map<String, QueueWorker> queues = new LinkedHashMap<>();
        private final Map<String, PipelineWorker> stages = new LinkedHashMap<>();

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

        /** Has the executor work on a queue; one worker for each. A handler that it names has to be added too. */
        public Builder addQueue(QueueWorker worker) {
            checkThatNobodyHas(worker.queue(), worker);
            queues.put(worker.queue(), worker);
            return this;
        }

        /** Has the executor work on a stage of a pipeline; one worker for each, with a queue of its own. */
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
         * Adds every {@link OrthJob}, {@link OrthQueue} and {@link OrthStage} method of the object's class, its superclasses and its
         * interfaces.
         */
        public Builder addMethodsOf(Object target) {
            return addMethodsOf(target, UnaryOperator.identity());
        }

        /**
         * The same, where the annotations' texts about declared jobs, queues and stages are not meant as they are written.
         *
         * @param texts makes the text that is meant, as by resolving placeholders
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
