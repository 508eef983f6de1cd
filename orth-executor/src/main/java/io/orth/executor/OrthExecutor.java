package io.orth.executor;

import io.orth.executor.internal.ExecutorRoutes;
import io.orth.executor.internal.Identity;
import io.orth.executor.internal.PeriodicLoop;
import io.orth.executor.internal.callback.Callbacks;
import io.orth.executor.internal.job.JobThreads;
import io.orth.executor.internal.job.RegisteredHandlers;
import io.orth.executor.internal.job.RunMemory;
import io.orth.executor.internal.job.TriggerDesk;
import io.orth.executor.internal.log.RunLogFiles;
import io.orth.executor.internal.log.RunLogPruner;
import io.orth.executor.internal.log.RunLogReader;
import io.orth.executor.internal.script.SourceHandlers;
import io.orth.executor.internal.transport.AdminClient;
import io.orth.executor.internal.transport.AdvertisedAddress;
import io.orth.executor.internal.transport.RegistrationBeat;
import io.orth.executor.internal.transport.TriggerServer;
import io.orth.protocol.Registration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ServiceLoader;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One executor: takes triggers from admins, runs handlers, keeps a log file per run and reports every result.
 *
 * <p>It can be started and stopped once. It starts even when no admin can be reached, and registers as soon as one can.
 */
public final class OrthExecutor implements AutoCloseable {

    private enum State {
        NEW,
        STARTED,
        STOPPED
    }

    private static final Logger log = LoggerFactory.getLogger(OrthExecutor.class);
    private static final int FINISHED_RUNS_TO_REMEMBER = 100_000;
    private static final Duration CALLBACK_GRACE = Duration.ofSeconds(5);
    private static final Duration LOOP_GRACE = Duration.ofSeconds(1);
    private static final Duration REST_AFTER_FAILURE = Duration.ofSeconds(10);

    private final ExecutorOptions options;
    private final Supplier<HandlerRegistry> handlers;
    private final GlueInjector injector;
    private final Clock clock;
    private final String instanceId = UUID.randomUUID().toString();

    // Set by start(), which is synchronized like stop().
    private State state = State.NEW;
    private AdminClient admins;
    private Callbacks callbacks;
    private JobThreads lanes;
    private SourceHandlers sources;
    private TriggerDesk desk;
    private TriggerServer server;
    private RegistrationBeat beat;
    private PeriodicLoop beating;
    private PeriodicLoop pruning;
    private volatile AdvertisedAddress address;

    OrthExecutor(ExecutorOptions options, Supplier<HandlerRegistry> handlers, GlueInjector injector, Clock clock) {
        this.options = options;
        this.handlers = handlers;
        this.injector = injector;
        this.clock = clock;
    }

    /** An executor that is not started yet. */
    public static OrthExecutor create(ExecutorOptions options, HandlerRegistry handlers) {
        return create(options, () -> handlers);
    }

    /** An executor that is not started yet and will ask for its handlers when it is. */
    public static OrthExecutor create(ExecutorOptions options, Supplier<HandlerRegistry> handlers) {
        return create(options, handlers, GlueInjector.NONE);
    }

    /** An executor that is not started yet, and whose injector serves handlers that are made from source text. */
    public static OrthExecutor create(
            ExecutorOptions options, Supplier<HandlerRegistry> handlers, GlueInjector injector) {
        return new OrthExecutor(options, handlers, injector, Clock.system(ZoneId.systemDefault()));
    }

    /**
     * Starts it; while it runs, it keeps the JVM alive.
     *
     * @throws UncheckedIOException if the log directory cannot be used or is used by another executor, or the port is taken
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
        callbacks.start();
        pruning.start();
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
        RunMemory memory = new RunMemory(FINISHED_RUNS_TO_REMEMBER);
        beat = new RegistrationBeat(
                admins, this::registration, options.beatInterval(), () -> callbacks.adminAnswered());
        beating = new PeriodicLoop("registration", options.beatInterval(), beat);
        callbacks = new Callbacks(
                options.logPath().resolve("callbacklog"),
                instanceId,
                admins,
                Callbacks.Settings.withRetryInterval(options.callbackRetryInterval()),
                beating::wake);
        lanes = new JobThreads(options.queueCapacity(), logs, memory, callbacks);
        sources = new SourceHandlers(
                new RegisteredHandlers(registry),
                options,
                clock.getZone(),
                ServiceLoader.load(GlueHandlerFactory.class),
                injector);
        desk = new TriggerDesk(instanceId, sources, logs, memory, lanes);
        pruning = new PeriodicLoop(
                "log-pruner",
                REST_AFTER_FAILURE,
                new RunLogPruner(options.logPath(), clock, options.logRetentionDays()));
        server = new TriggerServer(
                options.accessToken(),
                new ExecutorRoutes(instanceId, desk, memory, new RunLogReader(logs)).routes(),
                options.requestThreads());
        address = new AdvertisedAddress(
                options.advertisedAddress(), options.admins(), server.start(options.host(), options.port()));
    }

    /** Gives back what a start that failed has taken. */
    private void release() {
        admins.close();
        if (callbacks != null) {
            callbacks.release();
        }
    }

    /** Where admins reach it. */
    public URI address() {
        if (address == null) {
            throw new IllegalStateException("the executor has not been started");
        }
        return address.get();
    }

    /** Who it is: another one at every start. */
    public String instanceId() {
        return instanceId;
    }

    /** Stops it, with the grace of its options. */
    @Override
    public void close() {
        stop(options.shutdownGrace());
    }

    /**
     * Refuses new triggers, lets accepted work finish for {@code grace}, reports what did not get that far, delivers results,
     * takes leave of the admin and stops. Stopping again, or before the start, does nothing.
     */
    public synchronized void stop(Duration grace) {
        if (state != State.STARTED) {
            return;
        }
        state = State.STOPPED;
        log.atInfo()
                .addKeyValue("grace", grace)
                .addKeyValue("activeJobs", lanes.size())
                .log("executor is stopping");
        desk.close();
        boolean interrupted = stopStage(() -> lanes.stop(grace));
        interrupted |= stopStage(() -> callbacks.stop(CALLBACK_GRACE));
        interrupted |= stopStage(() -> beating.stop(LOOP_GRACE));
        interrupted |= stopStage(beat::leave);
        interrupted |= stopStage(() -> pruning.stop(LOOP_GRACE));
        server.stop();
        admins.close();
        log.info("executor stopped");
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** One step of stopping. */
    @FunctionalInterface
    private interface Stage {
        void run() throws InterruptedException;
    }

    /** Returns whether it was interrupted, which ends this stage's waiting but not the stopping. */
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
                callbacks.leftoversDelivered());
        return new Registration(options.group(), address().toString(), instance);
    }
}
