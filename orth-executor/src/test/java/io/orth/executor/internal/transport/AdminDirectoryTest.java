package io.orth.executor.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AdminDirectoryTest {

    private static final URI ONE = URI.create("http://one/");
    private static final URI TWO = URI.create("http://two/");

    private final AtomicLong nanos = new AtomicLong(-5);
    private final AdminDirectory directory = new AdminDirectory(List.of(ONE, TWO), nanos::get);

    @Test
    void theConfiguredOrderHoldsWhileAllIsWell() {
        assertThat(directory.inOrder()).containsExactly(ONE, TWO);
    }

    @Test
    void anAdminThatFailedIsAskedLastForAWhile() {
        directory.failed(ONE);
        assertThat(directory.inOrder()).containsExactly(TWO, ONE);

        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
        assertThat(directory.inOrder()).containsExactly(ONE, TWO);
    }

    @Test
    void anAdminThatAnswersIsBackInItsPlace() {
        directory.failed(ONE);
        directory.answered(ONE);

        assertThat(directory.inOrder()).containsExactly(ONE, TWO);
    }

    @Test
    void whenAllFailedTheOrderIsAsConfigured() {
        directory.failed(TWO);
        directory.failed(ONE);

        assertThat(directory.inOrder()).containsExactly(ONE, TWO);
    }
}
