package io.orth.executor.internal.script;

import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import io.orth.executor.ScriptLanguage;
import io.orth.executor.internal.log.RunLog;
import io.orth.executor.internal.script.ScriptCommand.CannotStartException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Runs scripts to completion and kills those that are interrupted. */
final class ScriptRunner {

    /**
     * Time limits.
     *
     * @param grace time between the request to terminate and the kill of a script's processes
     * @param end time limit for ending all processes, {@code grace} included
     * @param silence maximum pause in the output of background processes after the script's exit
     * @param tail maximum time to read output after the script's exit
     */
    record Timing(Duration grace, Duration end, Duration silence, Duration tail) {

        static final Timing DEFAULT =
                new Timing(Duration.ofSeconds(3), Duration.ofSeconds(6), Duration.ofSeconds(1), Duration.ofSeconds(5));
    }

    private final ScriptCommand command;
    private final Timing timing;
    private final Set<ProcessTree> running = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    ScriptRunner(ScriptCommand command, Timing timing) {
        this.command = command;
        this.timing = timing;
    }

    /** @throws InterruptedException after all processes of the run have been ended */
    RunResult run(ScriptLanguage language, Path file, OrthJobContext context, RunLog log) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted before the script was started");
        }
        String tag = UUID.randomUUID().toString();
        ScriptOutput output = new ScriptOutput(log::line);
        try {
            ScriptCommand.Started started = command.start(language, file, context, tag);
            output.readFrom(started.output(), "script-" + context.jobId());
            int exit = await(started.script(), tag, output, log);
            return exit == 0 ? RunResult.success() : failed("exit value " + exit, log);
        } catch (CannotStartException e) {
            return failed(e.getMessage(), log);
        }
    }

    /** Kills the processes of all running scripts, and of every script that is started from now on. */
    void endAll() {
        stopping = true;
        running.forEach(this::kill);
    }

    private void kill(ProcessTree tree) {
        tree.end(Duration.ZERO, timing.end().minus(timing.grace()));
    }

    private int await(Process process, String tag, ScriptOutput output, RunLog log) throws InterruptedException {
        ProcessTree tree = new ProcessTree(process.toHandle(), new TaggedProcesses(ScriptEnvironment.TAG, tag));
        running.add(tree);
        try {
            // A process that was starting during endAll() was not in the set yet.
            if (stopping) {
                kill(tree);
            }
            int exit = process.waitFor();
            if (!output.awaitEnd(timing.silence(), timing.tail())) {
                log.line("a background process still holds the script's output; what it writes from now on is dropped");
            }
            return exit;
        } catch (InterruptedException e) {
            end(tree, output, log);
            throw e;
        } finally {
            running.remove(tree);
        }
    }

    private void end(ProcessTree tree, ScriptOutput output, RunLog log) throws InterruptedException {
        log.line("interrupted: ending the script and every process it has started");
        int left = tree.end(timing.grace(), timing.end());
        if (left > 0) {
            log.line("%d processes could not be ended".formatted(left));
        }
        output.awaitEnd(timing.silence(), timing.silence());
    }

    private static RunResult failed(String reason, RunLog log) {
        log.line(reason);
        return RunResult.fail(reason);
    }
}
