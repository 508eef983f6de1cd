package io.orth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.testkit.ScriptedAdmin;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The installation from the terminal: whether it is paused, and taking it live. */
@Tag("must-first")
class InstallationCommandsTest {

    private static final String PAUSED =
            "{\"id\":\"b2\",\"copiedFromId\":\"a1\",\"paused\":true,\"pausedAt\":\"2026-01-02T03:04:05Z\",\"pauseReason\":\"COPIED\"}";
    private static final String LIVE =
            "{\"id\":\"b2\",\"copiedFromId\":\"a1\",\"paused\":false,\"pausedAt\":null,\"pauseReason\":null}";

    private ScriptedAdmin admin;

    @BeforeEach
    void start() throws IOException {
        admin = new ScriptedAdmin();
    }

    @AfterEach
    void stop() {
        admin.close();
    }

    @Test
    void aPausedInstallationSaysSinceWhenAndWhy() {
        admin.then(200, "{\"version\":\"1\",\"installation\":%s}".formatted(PAUSED));

        CliRun run = CliRun.at(admin.url(), "installation", "show");

        assertThat(run.code()).isZero();
        assertThat(admin.calls.get(0).path()).isEqualTo("/api/system");
        assertThat(run.out())
                .isEqualToNormalizingNewlines("Installation b2 is paused since 2026-01-02T03:04:05Z: COPIED,"
                        + " its database is a copy of that of installation a1, or was moved.\n");
    }

    @Test
    void resumingTakesItLive() {
        admin.then(200, LIVE);

        CliRun run = CliRun.at(admin.url(), "installation", "resume");

        assertThat(run.code()).isZero();
        assertThat(admin.calls.get(0).path()).isEqualTo("/api/installation/resume");
        assertThat(run.out()).isEqualToNormalizingNewlines("Installation b2 is live.\n");
    }

    @Test
    void aRejectionIsOneSentence() {
        admin.then(403, "{\"code\":\"FORBIDDEN\",\"detail\":\"needs the role ADMIN\"}");

        CliRun run = CliRun.at(admin.url(), "installation", "resume");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("needs the role ADMIN");
    }
}
