package io.orth.admin.systemlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LiveLinesTest {

    private static final Instant START = Instant.parse("2026-11-16T12:00:00Z");

    private final LiveLines live = new LiveLines();

    private static LogLine line(String node, long second) {
        return new LogLine(node, second, START.plusSeconds(second), LogLevel.INFO, node + " " + second, null, null);
    }

    private static List<String> messages(List<LogLine> lines) {
        return lines.stream().map(LogLine::message).toList();
    }

    @Test
    void ordersLinesOfAllNodesByTime() {
        live.add(line("b", 3));
        live.add(line("a", 1));
        live.add(line("b", 2));

        assertThat(messages(live.newest())).containsExactly("b 3", "b 2", "a 1");
    }

    @Test
    @Tag("must-queues")
    void keepsNewestHundredLines() {
        IntStream.rangeClosed(1, 150).forEach(second -> live.add(line("a", second)));
        long arrived = live.begin().upTo();

        live.add(line("a", 50));
        live.add(line("a", 60));

        assertThat(live.newest()).hasSize(100);
        assertThat(messages(live.newest())).startsWith("a 150").endsWith("a 51");
        assertThat(live.begin().upTo()).isEqualTo(arrived);
    }

    @Test
    void addsEachLineOnce() {
        live.add(line("a", 1));
        live.add(line("a", 1));

        assertThat(live.newest()).hasSize(1);
    }

    @Test
    void deliversLateLineToWatcherOnce() {
        live.add(line("a", 5));
        LiveLines.News first = live.begin();
        live.add(line("a", 6));
        live.add(line("b", 1));
        LiveLines.News second = live.after(first.upTo());

        assertThat(messages(first.lines())).containsExactly("a 5");
        assertThat(messages(second.lines())).containsExactly("b 1", "a 6");
        assertThat(second.missed()).isZero();
        assertThat(live.after(second.upTo()).lines()).isEmpty();
    }

    @Test
    void reportsNumberOfMissedLinesToWatcher() {
        live.add(line("a", 1));
        LiveLines.News first = live.begin();
        IntStream.rangeClosed(2, 131).forEach(second -> live.add(line("a", second)));

        LiveLines.News second = live.after(first.upTo());

        assertThat(second.lines()).hasSize(100);
        assertThat(second.missed()).isEqualTo(30);
    }
}
