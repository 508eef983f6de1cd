package io.orth.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.RunResult;
import io.orth.executor.test.FinishedRun;
import io.orth.executor.test.TestRun;
import org.junit.jupiter.api.Test;

/** Workers of queues are tested without Spring, admin or network too. */
class MailWorkersTest {

    @Test
    void sendsMail() {
        FinishedRun run = TestRun.ofQueue(new MailWorkers(), "emails")
                .param("{\"to\": \"ann@example.org\", \"subject\": \"Hello\"}")
                .execute();

        assertThat(run.isSuccess()).isTrue();
        assertThat(run.log()).containsExactly("sending 'Hello' to ann@example.org");
    }

    @Test
    void doesNotRetryMailWithoutRecipient() {
        FinishedRun run = TestRun.ofQueue(new MailWorkers(), "emails")
                .param("{\"subject\": \"Hello\"}")
                .execute();

        assertThat(run.result()).isInstanceOf(RunResult.FailedForGood.class);
    }
}
