package io.orth.executor.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-first")
class AdminDirectoryTest {

    private static final URI ONE = URI.create("http://one/");
    private static final URI TWO = URI.create("http://two/");

    private final AtomicLong nanos = new AtomicLong(-5);
    private final List<URI> probed = new ArrayList<>();
    private final List<URI> told = new ArrayList<>();
    private CompletableFuture<Boolean> probe = CompletableFuture.completedFuture(false);
    private final AdminDirectory directory = directory(ONE, TWO);

    @Test
    void keepsConfiguredOrderWhileAllRespond() {
        assertThat(directory.responsive()).containsExactly(ONE, TWO);
        assertThat(directory.silent()).isEmpty();
    }

    @Test
    void skipsSilentAdminUntilItAnswersAProbe() {
        directory.silent(ONE, now());
        assertThat(directory.responsive()).containsExactly(TWO);
        assertThat(directory.silent()).containsExactly(ONE);

        pass(Duration.ofHours(1));
        assertThat(directory.responsive()).containsExactly(TWO);
        pass(AdminDirectory.COOL_DOWN);
        assertThat(directory.responsive()).as("the probe failed").containsExactly(TWO);

        probe = CompletableFuture.completedFuture(true);
        pass(AdminDirectory.COOL_DOWN);
        directory.responsive();
        assertThat(directory.responsive()).containsExactly(ONE, TWO);
    }

    @Test
    void skipsSilentAdminForAWhileDespiteProbes() {
        probe = CompletableFuture.completedFuture(true);
        directory.silent(ONE, now());
        pass(AdminDirectory.COOL_DOWN.minusNanos(1));
        assertThat(directory.responsive()).containsExactly(TWO);
        assertThat(probed).as("at once, and not again").containsExactly(ONE);

        pass(Duration.ofNanos(1));
        directory.responsive();
        assertThat(directory.responsive()).containsExactly(ONE, TWO);
    }

    @Test
    void backsOffUpToAMinuteFromAdminThatOnlyAnswersProbes() {
        probe = CompletableFuture.completedFuture(true);
        List<Long> seconds = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            directory.silent(ONE, now());
            long since = nanos.get();
            while (!directory.responsive().contains(ONE)) {
                pass(Duration.ofSeconds(1));
            }
            seconds.add(Duration.ofNanos(nanos.get() - since).toSeconds());
        }

        assertThat(seconds).containsExactly(11L, 21L, 41L, 61L, 61L);

        directory.answered(ONE);
        directory.silent(ONE, now() + 1);
        pass(AdminDirectory.COOL_DOWN);
        directory.responsive();
        assertThat(directory.responsive()).as("it begins anew after an answer").containsExactly(ONE, TWO);
    }

    @Test
    void concurrentCallersShareOneProbe() {
        directory.silent(ONE, now());
        probe = new CompletableFuture<>();
        probed.clear();

        CompletableFuture<Boolean> first = directory.probe(ONE).toCompletableFuture();
        CompletableFuture<Boolean> second = directory.probe(ONE).toCompletableFuture();
        assertThat(first).isNotDone();
        probe.completeExceptionally(new IllegalStateException("as it was told"));

        assertThat(probed).containsExactly(ONE);
        assertThat(first).isCompletedWithValue(false);
        assertThat(second).isCompletedWithValue(false);
    }

    @Test
    void reportsSilentAdminOnce() {
        directory.silent(ONE, now());
        directory.silent(ONE, now());
        assertThat(told).containsExactly(ONE);

        probe = CompletableFuture.completedFuture(true);
        directory.silent(TWO, now());
        assertThat(told).as("TWO answers a probe").containsExactly(ONE);
    }

    @Test
    void restoresAdminImmediatelyAfterAReply() {
        directory.silent(ONE, now());
        directory.answered(ONE);

        assertThat(directory.responsive()).containsExactly(ONE, TWO);
    }

    @Test
    void ignoresLossBeforeLatestReply() {
        long asked = now();
        pass(Duration.ofSeconds(1));
        directory.answered(ONE);

        directory.silent(ONE, asked);

        assertThat(directory.responsive()).containsExactly(ONE, TWO);
    }

    @Test
    void asksRejectingAdminLastForAWhile() {
        directory.refused(ONE);
        assertThat(directory.responsive()).containsExactly(TWO, ONE);
        assertThat(probed).isEmpty();

        pass(AdminDirectory.COOL_DOWN);
        assertThat(directory.responsive()).containsExactly(ONE, TWO);
    }

    @Test
    void ordersSilentAdminsByLatestReply() {
        pass(Duration.ofSeconds(1));
        directory.answered(TWO);
        pass(Duration.ofSeconds(1));
        directory.silent(TWO, now());
        directory.silent(ONE, now());

        assertThat(directory.responsive()).isEmpty();
        assertThat(directory.silent()).containsExactly(TWO, ONE);
    }

    @Test
    void neverSkipsTheOnlyAdmin() {
        AdminDirectory alone = directory(ONE);

        alone.silent(ONE, now());

        assertThat(alone.responsive()).containsExactly(ONE);
        assertThat(probed).isEmpty();
    }

    private AdminDirectory directory(URI... admins) {
        return new AdminDirectory(
                List.of(admins),
                admin -> {
                    probed.add(admin);
                    return probe;
                },
                (admin, since) -> told.add(admin),
                nanos::get);
    }

    private long now() {
        return nanos.get();
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
