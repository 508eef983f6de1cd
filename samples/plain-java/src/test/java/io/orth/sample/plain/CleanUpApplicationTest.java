package io.orth.sample.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.executor.ExecutorOptions;
import io.orth.executor.OrthExecutor;
import io.orth.executor.RunResult;
import io.orth.executor.test.FinishedRun;
import io.orth.executor.test.TestRun;
import io.orth.testkit.FakeAdmin;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CleanUpApplicationTest {

    @Test
    void cleansUpTableNamedByParameter() {
        FinishedRun run = run("clean-up")
                .param("{\"table\": \"session\", \"olderThan\": \"PT24H\"}")
                .execute();

        assertThat(run.result()).isEqualTo(RunResult.success("cleaned up session"));
        assertThat(run.log()).containsExactly("removing rows of session older than PT24H");
    }

    @Test
    void asksForTheTable() {
        assertThat(run("clean-up").execute().result().text()).startsWith("which table?");
    }

    @Test
    void answersPings() {
        assertThat(run("ping").param("me").execute().result()).isEqualTo(RunResult.success("pong me"));
    }

    @Test
    void registersWithAnAdmin(@TempDir Path directory) {
        try (FakeAdmin admin = FakeAdmin.start()) {
            ExecutorOptions options = ExecutorOptions.builder()
                    .group("sample-plain-java")
                    .admin(admin.address())
                    .accessToken(FakeAdmin.TOKEN)
                    .logPath(directory)
                    .build();
            try (OrthExecutor executor =
                    OrthExecutor.create(options, CleanUpApplication.handlers()).start()) {
                assertThat(admin.awaitRegistration().instance().id()).isEqualTo(executor.instanceId());
            }
            assertThat(admin.removals()).hasSize(1);
        }
    }

    @Test
    void takesItsSettingsFromTheEnvironment() {
        assertThat(CleanUpApplication.optionsFrom(
                                Map.of("ORTH_ADMIN", "http://orth:1", "ORTH_EXECUTOR_ACCESS_TOKEN", "secret"))
                        .admins())
                .hasToString("[http://orth:1/]");
        assertThatThrownBy(() -> CleanUpApplication.optionsFrom(Map.of())).hasMessage("accessToken must not be blank");
    }

    private static TestRun run(String handler) {
        return TestRun.of(CleanUpApplication.handlers().find(handler).orElseThrow());
    }
}
