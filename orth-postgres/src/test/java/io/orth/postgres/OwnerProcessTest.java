package io.orth.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server seen from other processes: owners that are killed, owners that compete, owners without privileges. */
class OwnerProcessTest {

    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

    @TempDir
    Path directory;

    private OwnerProcess owner() throws IOException {
        return OwnerProcess.start(List.of(), OwnerProcess.classPath(), directory, EmbeddedPostgresTest.BINARIES);
    }

    private EmbeddedPostgres start() {
        return EmbeddedPostgres.start(
                EmbeddedPostgresOptions.in(directory).withBinariesIn(EmbeddedPostgresTest.BINARIES));
    }

    private long serverPid() throws IOException {
        return Long.parseLong(
                Files.readAllLines(directory.resolve("cluster/postmaster.pid")).get(0));
    }

    @Test
    void theServerEndsByItselfWhenItsOwnerIsKilled() throws Exception {
        try (OwnerProcess owner = owner()) {
            assertThat(owner.answer()).startsWith("started ");
            ProcessHandle server = ProcessHandle.of(serverPid()).orElseThrow();

            owner.kill();

            await().atMost(Duration.ofSeconds(20)).until(() -> !server.isAlive());
        }
    }

    @Test
    void aServerLeftBehindIsStoppedAndNotAdopted() throws Exception {
        try (OwnerProcess owner = owner()) {
            assertThat(owner.answer()).startsWith("started ");
            ProcessHandle leftover = ProcessHandle.of(serverPid()).orElseThrow();
            owner.killWithWatcher();
            assertThat(leftover.isAlive()).isTrue();

            try (EmbeddedPostgres postgres = start()) {
                await().atMost(Duration.ofSeconds(20)).until(() -> !leftover.isAlive());
                assertThat(serverPid()).isNotEqualTo(leftover.pid());
                assertThat(postgres.ended()).isNotDone();
            }
        }
    }

    @Test
    void childrenOfAKilledServerAreStoppedToo() throws Exception {
        try (OwnerProcess owner = owner()) {
            assertThat(owner.answer()).startsWith("started ");
            ProcessHandle postmaster = ProcessHandle.of(serverPid()).orElseThrow();
            List<ProcessHandle> children = postmaster.children().toList();
            assertThat(children).isNotEmpty();
            owner.killWithWatcher();
            postmaster.destroyForcibly();

            try (EmbeddedPostgres postgres = start()) {
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
                assertThat(postgres.ended()).isNotDone();
            }
        }
    }

    @Test
    void rejectsSecondOwnerNamingTheFirstOnesPid() throws Exception {
        try (EmbeddedPostgres holder = start();
                OwnerProcess second = owner()) {
            assertThat(second.answer())
                    .isEqualTo("refused The database directory %s is already in use by another Orth (process %d); "
                                    .formatted(
                                            directory.toRealPath(),
                                            ProcessHandle.current().pid())
                            + "stop that one first or choose another data directory.");
            assertThat(holder.ended()).isNotDone();
        }
    }

    @Test
    void worksForAUserWithoutPrivileges() throws Exception {
        assumeTrue(Processes.runByRoot());
        Processes.letOthersReach(directory);
        Path home = Files.createDirectory(directory.resolve("home"));
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxrwxrwx"));

        try (OwnerProcess owner = OwnerProcess.start(AS_NOBODY, readableClassPath(), home.resolve("data"))) {
            assertThat(owner.answer()).startsWith("started ");
        }
    }

    @Test
    void namesADirectoryItMayNotWriteTo() throws Exception {
        assumeTrue(Processes.runByRoot());
        Processes.letOthersReach(directory);
        Path sealed = Files.createDirectory(directory.resolve("sealed"));
        Files.setPosixFilePermissions(sealed, PosixFilePermissions.fromString("r-xr-xr-x"));

        try (OwnerProcess owner = OwnerProcess.start(AS_NOBODY, readableClassPath(), sealed)) {
            assertThat(owner.answer())
                    .isEqualTo("refused Orth cannot write to its database directory %s (permission denied).", sealed);
        }
        try (OwnerProcess owner = OwnerProcess.start(AS_NOBODY, readableClassPath(), sealed.resolve("data"))) {
            assertThat(owner.answer()).startsWith("refused Orth cannot write to its database directory ");
        }
    }

    /** The class path in a place that other users can read, which a home directory is not. */
    private String readableClassPath() throws IOException {
        Path copies = directory.resolve("classes");
        List<String> entries = new ArrayList<>();
        for (String entry : OwnerProcess.classPath().split(File.pathSeparator, -1)) {
            if (Files.exists(Path.of(entry)) && !entry.contains("darwin")) {
                Path copy = copies.resolve(Integer.toString(entries.size()));
                copy(Path.of(entry), copy);
                entries.add(copy.toString());
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var tree = Files.walk(from)) {
            for (Path path : tree.filter(Files::isRegularFile).toList()) {
                Path target = to.resolve(from.relativize(path).toString());
                if (!Files.exists(target)) {
                    Files.createDirectories(target.getParent());
                    Files.copy(path, target);
                }
            }
        }
    }
}
