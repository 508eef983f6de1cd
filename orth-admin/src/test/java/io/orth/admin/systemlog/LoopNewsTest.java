package io.orth.admin.systemlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.PublishedLines;
import io.orth.runtime.Duty.Pass;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class LoopNewsTest {

    private final PublishedLines log = new PublishedLines();
    private final LoopNews news = new LoopNews(log);

    @Test
    void reportsFailureAndRecoveryOfLoopOnceEach() {
        news.passed("alarm-sender", Pass.DRAINED);
        for (int times = 1; times <= 5; times++) {
            news.failed("alarm-sender", times, new IllegalStateException("no", new SQLException("refused")));
            news.run();
        }
        news.passed("alarm-sender", Pass.DRAINED);
        news.passed("alarm-sender", Pass.DRAINED);
        news.run();
        news.run();

        assertThat(log.lines())
                .containsExactly(
                        "WARN background work fails and is tried again: alarm-sender: refused",
                        "INFO background work goes on again: alarm-sender");
    }

    @Test
    void reportsLoopsWithSameErrorInOneLine() {
        news.failed("b", 1, new SQLException("away"));
        news.failed("a", 1, new SQLException("away"));
        news.failed("c", 1, new IllegalArgumentException());
        news.run();
        news.passed("a", Pass.DRAINED);
        news.passed("b", Pass.MORE);
        news.run();

        assertThat(log.lines())
                .containsExactlyInAnyOrder(
                        "WARN background work fails and is tried again: a, b: away",
                        "WARN background work fails and is tried again: c: IllegalArgumentException",
                        "INFO background work goes on again: a, b");
    }

    @Test
    void reportsFailureThatRecoveredImmediately() {
        news.failed("a", 1, new SQLException("blip"));
        news.passed("a", Pass.DRAINED);
        news.run();

        assertThat(log.lines()).hasSize(2);
    }
}
