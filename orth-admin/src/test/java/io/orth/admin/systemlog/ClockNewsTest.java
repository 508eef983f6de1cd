package io.orth.admin.systemlog;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.orth.admin.PublishedLines;
import io.orth.admin.kernel.DatabaseClock.Setback;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@Tag("must-first")
class ClockNewsTest {

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final PublishedLines log = new PublishedLines();
    private Setback setback;
    private final ClockNews news = new ClockNews(() -> Optional.ofNullable(setback), log);

    @BeforeEach
    void listen() {
        lines.start();
        logger().addAppender(lines);
        // An admin started by an earlier test class may have set another level for all loggers.
        logger().setLevel(Level.INFO);
    }

    @AfterEach
    void stop() {
        logger().detachAppender(lines);
        logger().setLevel(null);
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger(ClockNews.class);
    }

    /** The system log is stored in the database whose clock went back, so the admin's own log has the lines too. */
    @Test
    void writesSameLinesToBothLogs() {
        setback = new Setback(Duration.ofSeconds(60), Duration.ofSeconds(58));
        news.run();
        setback = null;
        news.run();

        assertThat(lines.list)
                .extracting(line -> line.getLevel() + " " + line.getFormattedMessage())
                .hasSize(2)
                .containsExactlyElementsOf(log.lines());
    }

    @Test
    void reportsSetbackAndRecoveryOnceEach() {
        news.run();
        assertThat(log.lines()).isEmpty();

        setback = new Setback(Duration.ofMillis(60_200), Duration.ofSeconds(58));
        news.run();
        setback = new Setback(Duration.ofMillis(60_200), Duration.ofSeconds(3));
        news.run();
        assertThat(log.lines())
                .containsExactly("WARN the database's clock went back by 60.2 s: what goes by its time, such as "
                        + "schedules, pushes and claims, stops until it has caught up in 58 s");

        setback = null;
        news.run();
        news.run();
        assertThat(log.lines())
                .hasSize(2)
                .last()
                .isEqualTo("INFO the database's clock has caught up with the time it showed before it went back");
    }

    @Test
    void reportsFurtherSetback() {
        setback = new Setback(Duration.ofSeconds(60), Duration.ofSeconds(58));
        news.run();
        setback = new Setback(Duration.ofSeconds(90), Duration.ofSeconds(90));
        news.run();

        assertThat(log.lines()).hasSize(2).last().asString().contains("went back by 90.0 s");
    }
}
