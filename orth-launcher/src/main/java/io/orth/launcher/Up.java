package io.orth.launcher;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The lifecycle of Orth on this machine: admin, samples, executor, and their shutdown. */
final class Up {

    /** A condition to poll for. */
    @FunctionalInterface
    private interface Condition {

        boolean holds() throws InterruptedException;
    }

    private static final Duration ADMIN_START_LIMIT = Duration.ofMinutes(2);
    private static final Duration EXECUTOR_START_LIMIT = Duration.ofMinutes(1);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(100);
    private static final Duration STOP_GRACE = Duration.ofSeconds(20);

    private final LauncherOptions options;
    private final Commands commands;
    private final SampleDatabase sampleDatabase;
    private final AdminApi api;
    private final PrintStream terminal;
    /** The child started last comes first. Guarded by itself. */
    private final Deque<Child> children = new ArrayDeque<>();

    private volatile boolean stopping;

    /** @param environment the user's environment */
    Up(LauncherOptions options, Map<String, String> environment, PrintStream terminal) {
        this.options = options;
        this.commands = new Commands(options);
        this.sampleDatabase = new SampleDatabase(options, environment);
        this.api = new AdminApi(options.baseUrl());
        this.terminal = terminal;
    }

    /**
     * Returns when Orth has been stopped, or as soon as it runs if that was the task. Fails if it cannot start or if one of its
     * processes ends by itself.
     */
    void run() {
        try {
            check();
            boolean firstStart = !Files.exists(options.credentialsFile());
            startAdmin();
            Credentials credentials = Credentials.read(options.credentialsFile());
            if (options.samples()) {
                startSamples(new Samples(api, credentials.apiToken()));
            }
            greet(credentials, firstStart);
            if (!options.trial()) {
                awaitAnyEnd();
            }
        } catch (LauncherException e) {
            // Failures during the shutdown are caused by it.
            if (!stopping) {
                throw e;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void check() {
        Checks.isFile("The admin", options.adminJar());
        if (options.samples()) {
            Checks.isFile("The sample executor", options.executorJar());
        }
        Checks.dataDirectory(options.dataDirectory());
        Checks.portIsFree(options.port());
    }

    private void startAdmin() throws InterruptedException {
        terminal.printf("Starting the admin; its log is %s%n", options.logFile("admin"));
        Child admin = start("admin", commands.admin(), commands.adminEnvironment());
        await("admin", admin, ADMIN_START_LIMIT, () -> api.isHealthy() && Files.exists(options.credentialsFile()));
    }

    /** Creates the jobs last; one that fires before there is an executor would fail as the first thing that a new user sees. */
    private void startSamples(Samples samples) throws InterruptedException {
        Samples.Group group = samples.group();
        Set<String> before = samples.onlineExecutors(group);
        terminal.printf("Starting the sample executor; its log is %s%n", options.logFile("executor"));
        Map<String, String> environment = new HashMap<>(sampleDatabase.variables());
        environment.putAll(Commands.executorEnvironment(samples.accessToken(group)));
        Child executor = start("executor", commands.executor(), environment);
        await("executor", executor, EXECUTOR_START_LIMIT, () -> !before.containsAll(samples.onlineExecutors(group)));
        if (wantsJobs(group)) {
            samples.makeJobs(group);
            samples.makePipeline(options.executorJar());
            rememberJobs();
        }
    }

    /**
     * Returns whether to create the jobs. They are created once, so that jobs deleted by the user stay deleted. With the embedded
     * database, a missing marker file means that the first start was interrupted before it created them.
     */
    private boolean wantsJobs(Samples.Group group) {
        boolean neverFinished = options.database().isEmpty() && !Files.exists(jobsMade());
        return group.fresh() || neverFinished;
    }

    private void rememberJobs() {
        try {
            Files.writeString(jobsMade(), "The sample jobs have been made; without this file they are made again.\n");
        } catch (IOException e) {
            throw LauncherException.failed("%s cannot be written: %s.".formatted(jobsMade(), e.getMessage()));
        }
    }

    private Path jobsMade() {
        return options.dataDirectory().resolve("samples-made");
    }

    private Child start(String name, List<String> command, Map<String, String> environment) {
        synchronized (children) {
            if (stopping) {
                throw LauncherException.failed("Stopped before the %s was started.".formatted(name));
            }
            ChildOutput output = new ChildOutput(name, options.logFile(name), terminal);
            Child child = Child.start(name, command, environment, output);
            children.push(child);
            return child;
        }
    }

    /** Polls until the child is ready, has ended, or has taken too long. */
    private void await(String name, Child child, Duration limit, Condition ready) throws InterruptedException {
        long begin = System.nanoTime();
        while (!ready.holds()) {
            if (System.nanoTime() - begin > limit.toNanos()) {
                throw LauncherException.failed("The %s was not ready within %d s; its log is %s."
                        .formatted(name, limit.toSeconds(), options.logFile(name)));
            }
            child.awaitEnd(LOOK_AGAIN);
            if (!child.isAlive()) {
                throw child.unexpectedEnd();
            }
        }
    }

    private void greet(Credentials credentials, boolean firstStart) {
        Path file = options.credentialsFile();
        terminal.printf("%n  console      %s%n", options.baseUrl());
        terminal.printf("  user         %s%n", credentials.user());
        if (firstStart) {
            terminal.printf("  password     %s   (shown this once; kept in %s)%n", credentials.password(), file);
        } else {
            terminal.printf("  password     in %s%n", file);
        }
        terminal.printf("%nCtrl-C stops Orth; its data stays in %s%n", options.dataDirectory());
        terminal.printf("ready %s%n", options.baseUrl());
        terminal.flush();
    }

    private void awaitAnyEnd() throws InterruptedException {
        List<Child> running;
        synchronized (children) {
            running = List.copyOf(children);
        }
        CompletableFuture.anyOf(running.stream().map(Child::ended).toArray(CompletableFuture<?>[]::new))
                .join();
        for (Child child : running) {
            if (!child.isAlive()) {
                throw child.unexpectedEnd();
            }
        }
    }

    /** Stops the executor, then the admin that it reports to. Returns when both have ended. */
    void stop() {
        stopping = true;
        synchronized (children) {
            while (!children.isEmpty()) {
                try {
                    children.pop().stop(STOP_GRACE);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
