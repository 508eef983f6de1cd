package io.orth.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.protocol.DeclaredJob;
import io.orth.protocol.DeclaredJobs;
import io.orth.testkit.FakeAdmin;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A complete executor sends its declared jobs to an admin on request only. */
@Tag("must-runs")
@Timeout(60)
class ExecutorDeclarationsTest {

    @TempDir
    Path directory;

    private ExecutorRoom room;
    private FakeAdmin admin;
    private OrthExecutor executor;

    @BeforeEach
    void setUp() {
        room = new ExecutorRoom(directory);
        admin = room.admin;
    }

    @AfterEach
    void stop() {
        executor.stop(Duration.ofSeconds(5));
        admin.close();
    }

    @Test
    void sendsDeclarationsOnRequestNotWithEveryHeartbeat() {
        start(declaring());

        DeclaredJobs sent = admin.awaitDeclarations();
        assertThat(sent.group()).isEqualTo("tests");
        assertThat(sent.instanceId()).isEqualTo(executor.instanceId());
        assertThat(sent.hash()).isEqualTo(admin.awaitRegistration().instance().declarations());
        assertThat(sent.jobs()).extracting(DeclaredJob::name).containsExactly("clean up");
        admin.awaitRegistrations(5);
        assertThat(admin.declarations())
                .as("not with every beat; one that was under way may have asked once more")
                .hasSizeLessThanOrEqualTo(2);

        admin.forgetDeclarations();
        assertThat(admin.awaitDeclarations()).isEqualTo(sent);
    }

    @Test
    void sendsNothingToAdminWithoutDeclarationSupport() {
        admin.answerAsBeforeDeclarations();
        start(declaring());

        admin.awaitRegistrations(2);

        assertThat(admin.declarations()).isEmpty();
        assertThat(executor.status().registered()).isTrue();
    }

    @Test
    void sendsNothingToXxlJobAdmin() {
        admin.answerAsXxlJob();
        start(declaring());

        admin.awaitRegistration();

        assertThat(admin.declarations()).isEmpty();
    }

    @Test
    void sendsEmptyDeclarations() {
        start(room.handlers());

        assertThat(admin.awaitRegistration().instance().declarations()).isEqualTo(DeclaredJobs.NONE);
    }

    @Test
    void resendsDeclarationsThatAdminDidNotAccept() {
        admin.refuseDeclarations(new DeclaredJobs.Refused("clean up", "told to refuse"));
        start(declaring());

        admin.awaitDeclarations();
        admin.forgetDeclarations();

        assertThat(admin.awaitDeclarations().jobs()).hasSize(1);
    }

    private void start(HandlerRegistry handlers) {
        executor = OrthExecutor.create(room.options().build(), handlers).start();
    }

    private static HandlerRegistry declaring() {
        return HandlerRegistry.builder()
                .add("h", context -> RunResult.success())
                .declare(JobDeclaration.of("clean up")
                        .handler("h")
                        .fixedRate(Duration.ofMinutes(5))
                        .build())
                .build();
    }
}
