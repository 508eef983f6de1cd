package io.orth.executor;

import io.orth.executor.internal.ExecutorLoops;
import io.orth.executor.internal.ExecutorRoutes;
import io.orth.executor.internal.Identity;
import io.orth.executor.internal.UnsentResults;
import io.orth.executor.internal.callback.Callbacks;
import io.orth.executor.internal.job.JobThreads;
import io.orth.executor.internal.job.LaneSettings;
import io.orth.executor.internal.job.RegisteredHandlers;
import io.orth.executor.internal.job.RunMemory;
import io.orth.executor.internal.job.StartGate;
import io.orth.executor.internal.job.TriggerDesk;
import io.orth.executor.internal.liveness.AdminContact;
import io.orth.executor.internal.liveness.DeclarationSender;
import io.orth.executor.internal.liveness.ProcessMetrics;
import io.orth.executor.internal.liveness.RegistrationBeat;
import io.orth.executor.internal.log.LogStreams;
import io.orth.executor.internal.log.RunLogFiles;
import io.orth.executor.internal.log.RunLogPruner;
import io.orth.executor.internal.log.RunLogReader;
import io.orth.executor.internal.pipeline.Stages;
import io.orth.executor.internal.queue.QueueSettings;
import io.orth.executor.internal.queue.Queues;
import io.orth.executor.internal.script.SourceHandlers;
import io.orth.executor.internal.transport.AdminClient;
import io.orth.executor.internal.transport.AdvertisedAddress;
import io.orth.executor.internal.transport.TriggerServer;
import io.orth.protocol.DeclaredJobs;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.HeartbeatRule;
import io.orth.protocol.Json;
import io.orth.protocol.LogRangeRequest;
import io.orth.protocol.Registration;
import io.orth.protocol.RegistrationReply;
import io.orth.protocol.WorkerMetrics;
import io.orth.runtime.PeriodicLoop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An executor: receives triggers, queue messages and pipeline tasks from admins, runs handlers, keeps a log file per run and
 * reports every result.
 *
 * <p>An instance can be started and stopped once. It starts even if no admin can be reached, and registers as soon as one can.
 * Thread-safe.
 */
public final class OrthExecutor implements AutoCloseable {

    private enum State {
        NEW,
        STARTED,
        STOPPED
    }

    private static final Logger log = LoggerFactory.getLogger(OrthExecutor.class);
    private static final int FINISHED_RUNS_TO_REMEMBER = 100_000;
    private static final int MOST_LOG_STREAMS = 100;
    private static final Duration CALLBACK_GRACE = Duration.ofSeconds(5);
    private static final Duration LOOP_GRACE = Duration.ofSeconds(1);
    private static final Duration REST_AFTER_FAILURE = Duration.ofSeconds(10);
    private static final String STOPPING = "the executor is stopping";
    private static final String REVOKED = "revoked by the admin";
    private static final String DECLARED_DEAD = "the executor was declared dead";
    private static final String DRAINING = "the executor is draining";

    private final ExecutorOptions options;
    private final Supplier<HandlerRegistry> handlers;
    private final GlueInjector injector;
    private final Clock clock;
    private final LongSupplier nanos;
    private final String instanceId = UUID.randomUUID().toString();
    private final ProcessMetrics process = new ProcessMetrics();

    // Set by start(), which is synchronized, as is stop().
    private State state = State.NEW;
    private AdminClient admins;
    private AdminContact contact;
    private Callbacks callbacks;
    private RunMemory memory;
    private JobThreads lanes;
    private SourceHandlers sources;
    private TriggerDesk desk;
    private Queues queues;
    private Stages stages;
    private TriggerServer server;
    private RegistrationBeat beat;
    private PeriodicLoop beating;
    private PeriodicLoop pruning;
    private DeclarationSender declarations;
    private PeriodicLoop declaring;

    /** Set last by start(): a thread that reads a non-null value also sees the fields above. */
    private volatile AdvertisedAddress address;

    private volatile boolean draining;
    private volatile Set<String> handlerNames = Set.of();

    OrthExecutor(
            ExecutorOptions options,
            Supplier<HandlerRegistry> handlers,
            GlueInjector injector,
            Clock clock,
            LongSupplier nanos) {
        this.options = options;
        this.handlers = handlers;
        this.injector = injector;
        this.clock = clock;
        this.nanos = nanos;
    }

    /** Creates an executor without starting it. */
    public static OrthExecutor create(ExecutorOptions options, HandlerRegistry handlers) {
        return create(options, () -> handlers);
    }

    /** Creates an executor without starting it. {@link #start} calls the supplier once. */
    public static OrthExecutor create(ExecutorOptions options, Supplier<HandlerRegistry> handlers) {
        return create(options, handlers, GlueInjector.NONE);
    }

    /** Creates an executor without starting it. The injector is applied to handlers compiled from source text. */
    public static OrthExecutor create(
            ExecutorOptions options, Supplier<HandlerRegistry> handlers, GlueInjector injector) {
        return new OrthExecutor(options, handlers, injector, Clock.system(ZoneId.systemDefault()), System::nanoTime);
    }

    /**
     * Starts the executor, which keeps the JVM alive while it runs.
     *
     * @throws IllegalStateException if it has been started before
     * @throws UncheckedIOException if the log directory cannot be used or is in use by another executor, or if the port is taken
     */
    public synchronized OrthExecutor start() {
        if (state != State.NEW) {
            throw new IllegalStateException("an executor can be started once");
        }
        HandlerRegistry registry = handlers.get();
        try {
            build(registry);
        } catch (IOException e) {
            release();
            throw new UncheckedIOException(e.getMessage(), e);
        }
        handlerNames = registry.names();
        callbacks.start();
        stages.start(lanes);
        pruning.start();
        declaring.start();
        beating.start();
        state = State.STARTED;
        log.atInfo()
                .addKeyValue("group", options.group())
                .addKeyValue("address", address())
                .addKeyValue("instance", instanceId)
                .addKeyValue("handlers", registry.names().size())
                .log("executor started");
        return this;
    }

    private void build(HandlerRegistry registry) throws IOException {
        admins = new AdminClient(options.admins(), options.accessToken(), options.adminTimeout());
        Files.createDirectories(options.logPath());
        RunLogFiles logs = new RunLogFiles(options.logPath(), clock, options.maxLogBytes());
        memory = new RunMemory(FINISHED_RUNS_TO_REMEMBER);
        StartGate gate = new StartGate(nanos);
        contact = new AdminContact(gate, this::revoke, this::endAll, this::returnUnstarted, nanos);
        RegistrationBeat.Surroundings told = new RegistrationBeat.Surroundings(
                this::registration, () -> draining, this::hasDrained, this::beatAccepted);
        beat = new RegistrationBeat(admins, contact, told, options.beatInterval(), nanos);
        declarations = new DeclarationSender(
                admins, new DeclaredJobs(options.group(), instanceId, registry.declarations(clock.getZone())));
        declaring = ExecutorLoops.loop("declarations", REST_AFTER_FAILURE, declarations::run);
        beating = ExecutorLoops.loop("registration", options.beatInterval(), beat::run);
        callbacks = new Callbacks(
                options.logPath().resolve("callbacklog"),
                instanceId,
                admins,
                Callbacks.Settings.withRetryInterval(options.callbackRetryInterval()),
                beating::wake);
        lanes = new JobThreads(laneSettings(), logs, memory, this::finished, gate);
        sources = new SourceHandlers(
                new RegisteredHandlers(registry),
                options,
                clock.getZone(),
                ServiceLoader.load(GlueHandlerFactory.class),
                injector);
        desk = new TriggerDesk(instanceId, sources, logs, memory, lanes, gate);
        stages = new Stages(
                registry.stageQueues(), instanceId, admins, options.adminTimeout(), options.callbackRetryInterval());
        queues = new Queues(
                Stream.concat(registry.messageQueues().stream(), stages.queues().stream()),
                new QueueSettings(
                        instanceId, admins, desk, lanes, gate, QueueSettings.PATIENCE, options.adminTimeout()));
        RunLogPruner pruner = new RunLogPruner(options.logPath(), clock, options.logRetentionDays());
        pruning = ExecutorLoops.loop("log-pruner", REST_AFTER_FAILURE, pruner::run);
        RunLogReader reader = new RunLogReader(logs, memory::progress);
        LogStreams streams = new LogStreams(logs, reader, memory::goesOn, MOST_LOG_STREAMS);
        UnsentResults unsent = UnsentResults.in(callbacks, queues);
        server = new TriggerServer(
                options.accessToken(),
                contact.home(),
                new ExecutorRoutes(instanceId, desk, lanes, memory, reader, unsent)
                        .routes(this::beginToDrain)
                        .withStream(
                                ExecutorPaths.LOG_STREAM,
                                body -> streams.open(LogRangeRequest.from(Json.readObject(body)))),
                options.requestThreads());
        address = new AdvertisedAddress(
                options.advertisedAddress(), options.admins(), server.start(options.host(), options.port()));
    }

    private void finished(OrthJobContext run, RunResult result, Duration took) {
        (run.message().isPresent() ? queues : callbacks).finished(run, result, took);
    }

    private void beatAccepted(RegistrationReply reply) {
        callbacks.adminAnswered();
        if (reply.fromOrth()) {
            queues.start();
        }
        if (declarations.answered(reply)) {
            declaring.wake();
        }
    }

    private LaneSettings laneSettings() {
        return new LaneSettings(
                options.pollInterval(), options.idlePolls(), options.queueCapacity(), options.interruptGrace());
    }

    /** Releases the resources acquired by a failed start. */
    private void release() {
        admins.close();
        if (callbacks != null) {
            callbacks.release();
        }
    }

    /** Returns the executor group. */
    public String group() {
        return options.group();
    }

    /** Returns the names of the registered handlers; empty before the start. */
    public Set<String> handlerNames() {
        return handlerNames;
    }

    public static String version() {
        return Identity.version();
    }

    /**
     * Returns the address at which admins reach this executor.
     *
     * @throws IllegalStateException if the executor has not been started
     */
    public URI address() {
        if (address == null) {
            throw new IllegalStateException("the executor has not been started");
        }
        return address.get();
    }

    /** Returns the id of this instance; each {@code OrthExecutor} object gets a new random one. */
    public String instanceId() {
        return instanceId;
    }

    /** Returns the current status; before the start, that of an unregistered executor without work. */
    public ExecutorStatus status() {
        if (address == null) {
            return new ExecutorStatus(false, null, 0, 0, 0, 0, false, HeartbeatRule.DEFAULT.startLease());
        }
        WorkerMetrics metrics = metrics();
        return new ExecutorStatus(
                contact.isRegistered(),
                contact.sinceLastBeat(),
                metrics.running(),
                metrics.queued(),
                metrics.leakedThreads(),
                callbacks.unsent() + queues.unsent(),
                draining,
                contact.rule().startLease());
    }

    /**
     * Starts draining and returns immediately. The executor accepts no new work, finishes and reports the work it has, and
     * deregisters. It continues to serve logs until it is stopped. Draining cannot be undone.
     *
     * @throws IllegalStateException if the executor has not been started
     */
    public void drain() {
        if (address == null) {
            throw new IllegalStateException("the executor has not been started");
        }
        beginToDrain();
    }

    private void beginToDrain() {
        if (!draining) {
            // The order matters: hasDrained() must not look for unfinished work before new work is shut out.
            desk.close(DRAINING);
            queues.close();
            draining = true;
            log.info("executor drains: it takes no more work and leaves when it has finished what it has");
            beating.wake();
        }
    }

    private boolean hasDrained() {
        try {
            return draining && memory.unfinished() == 0 && queues.allDelivered() && callbacks.allDelivered();
        } catch (IOException e) {
            log.debug("whether all results are delivered cannot be found out", e);
            return false;
        }
    }

    private void revoke(List<Long> runs) {
        memory.bar(runs);
        lanes.killRuns(runs, REVOKED);
    }

    /**
     * The admins declared this executor dead. Other executors may have all of its work, whether or not an admin still lists it as
     * revoked.
     */
    private void endAll() {
        queues.returnUnstarted();
        lanes.killAll(DECLARED_DEAD);
    }

    private void returnUnstarted() {
        queues.returnUnstarted();
    }

    /** Stops the executor with the grace period of its options. */
    @Override
    public void close() {
        stop(options.shutdownGrace());
    }

    /**
     * Stops the executor. It rejects new triggers, releases messages that have not started, and lets accepted work finish for
     * {@code grace}. It then reports unfinished work as such, delivers results and deregisters. Does nothing if the executor has
     * not been started or is already stopped.
     */
    public synchronized void stop(Duration grace) {
        if (state != State.STARTED) {
            return;
        }
        state = State.STOPPED;
        log.atInfo()
                .addKeyValue("grace", grace)
                .addKeyValue("jobs", lanes.size())
                .log("executor is stopping");
        desk.close(STOPPING);
        queues.close();
        draining = true;
        boolean interrupted = stopStage(() -> lanes.stop(grace));
        sources.stop();
        interrupted |= stopStage(() -> stages.stop(CALLBACK_GRACE));
        interrupted |= stopStage(() -> queues.stop(CALLBACK_GRACE));
        interrupted |= stopStage(() -> callbacks.stop(CALLBACK_GRACE));
        interrupted |= stopStage(() -> beating.stop(LOOP_GRACE));
        interrupted |= stopStage(() -> declaring.stop(LOOP_GRACE));
        interrupted |= stopStage(beat::leave);
        interrupted |= stopStage(() -> pruning.stop(LOOP_GRACE));
        server.stop();
        admins.close();
        log.info("executor stopped");
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @FunctionalInterface
    private interface Stage {
        void run() throws InterruptedException;
    }

    /**
     * Runs one step of the shutdown. Returns true if it was interrupted; an interrupt ends the waiting of this step, not the
     * shutdown.
     */
    private static boolean stopStage(Stage stage) {
        try {
            stage.run();
            return false;
        } catch (InterruptedException e) {
            log.warn("stopping was interrupted; what is undelivered stays on disk");
            return true;
        }
    }

    private Registration registration() {
        Registration.Instance instance = new Registration.Instance(
                instanceId,
                Identity.hostName(),
                ProcessHandle.current().pid(),
                Identity.version(),
                callbacks.leftoversDelivered(),
                draining,
                metrics());
        return new Registration(
                options.group(),
                address().toString(),
                instance.declaring(declarations.hash())
                        .inZone(clock.getZone().getId())
                        .acknowledging(contact.appliedRevocations()));
    }

    private WorkerMetrics metrics() {
        JobThreads.Load load = lanes.load();
        return new WorkerMetrics(
                process.cpu(),
                process.ram(),
                load.running(),
                load.queued(),
                load.leakedThreads(),
                process.processCpu());
    }
}
