package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.InstallationGuard.PauseReason;
import io.orth.testkit.TestDatabase;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("must-first")
class InstallationGuardDbTest {

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private AdminFixture admin;

    @BeforeEach
    void setUp() {
        admin = new AdminFixture(db);
    }

    private InstallationGuard guard(boolean startPaused) {
        return new InstallationGuard(admin.jdbc, admin.transactions, null, startPaused);
    }

    /** Of an admin with an embedded database. */
    private InstallationGuard embedded(String directory) {
        return new InstallationGuard(admin.jdbc, admin.transactions, Path.of(directory), false);
    }

    @Test
    void databaseKeepsItsInstallationId() {
        InstallationGuard first = guard(false);
        InstallationGuard second = guard(false);
        second.run();

        assertThat(second.state()).isEqualTo(first.state());
        assertThat(second.isPaused()).isFalse();
    }

    @Test
    void aDatabaseOfAnotherClusterIsACopy() {
        InstallationGuard original = guard(false);
        admin.jdbc.sql("update orth_installation set system_identifier = '1'").update();

        InstallationGuard copy = guard(false);

        assertThat(copy.state().pauseReason()).isEqualTo(PauseReason.COPIED);
        assertThat(copy.state().copiedFromId()).isEqualTo(original.state().id());
        assertThat(copy.id()).isNotEqualTo(original.id());
        assertThat(copy.state().explanation()).contains("copy of that of installation " + original.id());
        assertThat(guard(false).state()).as("after a restart").isEqualTo(copy.state());
    }

    /** It has the same system identifier and the same oid. */
    @Test
    void anEmbeddedDatabaseInAnotherDirectoryIsACopy() {
        InstallationGuard original = embedded("/srv/orth/postgres");

        InstallationGuard copy = embedded("/srv/staging/postgres");

        assertThat(copy.state().pauseReason()).isEqualTo(PauseReason.COPIED);
        assertThat(copy.state().copiedFromId()).isEqualTo(original.state().id());
        assertThat(copy.id()).isNotEqualTo(original.id());
        assertThat(copy.state().explanation())
                .contains(
                        "copy of that of installation " + original.id(),
                        "or was moved",
                        "orth cli installation resume");
        assertThat(embedded("/srv/staging/postgres").state())
                .as("after a restart")
                .isEqualTo(copy.state());
        copy.resume();
        assertThat(embedded("/srv/staging/postgres").isPaused())
                .as("once it was resumed there")
                .isFalse();
        assertThat(embedded("/srv/orth/postgres").isPaused()).as("moved back").isTrue();
    }

    @Test
    void recordsMissingDirectoryOfEmbeddedDatabase() {
        InstallationGuard before = guard(false);

        InstallationGuard first = embedded("/srv/orth/postgres");

        assertThat(first.state()).isEqualTo(before.state());
        assertThat(first.isPaused()).isFalse();
        assertThat(embedded("/srv/staging/postgres").isPaused())
                .as("it is recorded now")
                .isTrue();
    }

    /** As one that another admin uses by its address. */
    @Test
    void adminWithoutDirectoryKeepsRecordedDirectory() {
        embedded("/srv/orth/postgres");

        InstallationGuard other = guard(false);
        other.run();

        assertThat(other.isPaused()).isFalse();
        assertThat(embedded("/srv/orth/postgres").isPaused()).isFalse();
        assertThat(embedded("/srv/staging/postgres").isPaused()).isTrue();
    }

    @Test
    void noticesDatabaseReplacedWhileRunning() {
        InstallationGuard guard = guard(false);
        admin.jdbc
                .sql("update orth_installation set database_oid = database_oid + 1")
                .update();

        guard.run();

        assertThat(guard.isPaused()).isTrue();
    }

    /** Where the user may not read it, or might not once. */
    @Test
    void unknownClusterIsNotACopy() {
        guard(false);
        admin.jdbc.sql("update orth_installation set system_identifier = null").update();

        assertThat(guard(false).isPaused()).isFalse();
        assertThat(admin.jdbc
                        .sql("select system_identifier is not null from orth_installation")
                        .query(Boolean.class)
                        .single())
                .isTrue();
    }

    @Test
    void startPausedCreatesNewPausedInstallation() {
        InstallationGuard before = guard(false);

        InstallationGuard paused = guard(true);

        assertThat(paused.state().pauseReason()).isEqualTo(PauseReason.START_PAUSED);
        assertThat(paused.id()).isNotEqualTo(before.id());
        assertThat(guard(true).state()).as("the next node of it").isEqualTo(paused.state());
    }

    @Test
    void resumeReachesAllNodes() {
        InstallationGuard one = guard(true);
        InstallationGuard other = guard(false);
        AtomicInteger resumed = new AtomicInteger();
        other.onResume(resumed::incrementAndGet);

        one.resume();
        other.run();
        other.run();

        assertThat(one.isPaused()).isFalse();
        assertThat(other.isPaused()).isFalse();
        assertThat(resumed).hasValue(1);
        assertThat(guard(false).isPaused()).as("after a restart").isFalse();
    }
}
