package io.orth.executor.internal.job;

import static io.orth.executor.Triggers.trigger;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.RunResult;
import io.orth.executor.internal.log.RunLogFiles;
import java.nio.file.Path;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The moments of a run that threads hit only by chance. */
@Tag("must-executor")
class RunTest {

    @TempDir
    Path directory;

    private final Run run = new Run(new Work(trigger(7, "h", 1), context -> RunResult.success()));

    @Test
    void isEndedByOneOnly() {
        assertThat(run.end()).isTrue();
        assertThat(run.end()).isFalse();
    }

    @Test
    void doesNotStartOnceKilled() {
        run.end();

        assertThat(run.begin(scope())).isFalse();
    }

    @Test
    void isNotPassedToWorkerOnceKilled() {
        assertThat(run.begin(scope())).isTrue();
        run.letGo();
        run.end();

        assertThat(run.carry()).isFalse();
        assertThat(run.isCarriedBy(Thread.currentThread())).isFalse();
    }

    @Test
    void interruptsItsThreadOnlyUntilReleased() {
        RunScope scope = scope();
        run.begin(scope);

        run.interrupt();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(scope.isCancelled()).isTrue();
        run.letGo();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        run.interrupt();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void cancelsCurrentAndLateTimersWhenFinished() {
        AtomicInteger cancelled = new AtomicInteger();
        run.watch(cancelled::incrementAndGet);

        run.over();
        assertThat(cancelled).hasValue(1);
        run.watch(cancelled::incrementAndGet);
        assertThat(cancelled).hasValue(2);
    }

    private RunScope scope() {
        return new RunScope(
                run.work().context(), new RunLogFiles(directory, Clock.systemUTC(), 1_000).open(1, 0), percent -> {});
    }
}
