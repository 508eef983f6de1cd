package io.orth.admin.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.orth.admin.kernel.OrthException;
import io.orth.testkit.TestDatabase;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class FirstStartDbTest {

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @TempDir
    Path directory;

    private SecurityFixture security;
    private Path path;

    @BeforeEach
    void setUp() {
        security = new SecurityFixture(db.dataSource());
        path = directory.resolve("credentials.json");
    }

    @Test
    void createsAdministratorWithWorkingTokenAndPassword() {
        security.firstStart(path).afterSingletonsInstantiated();

        CredentialsFile.Content content = new CredentialsFile(path).read().orElseThrow();
        assertThat(content.user()).isEqualTo("admin");
        assertThat(security.tokens.find(content.apiToken()).orElseThrow().role())
                .isEqualTo(Role.ADMIN);
        assertThat(security.logins
                        .login("admin", content.password(), "10.0.0.1")
                        .principal()
                        .role())
                .isEqualTo(Role.ADMIN);
    }

    @Test
    void leavesAFileThatWorksAlone() throws Exception {
        security.firstStart(path).afterSingletonsInstantiated();
        byte[] before = Files.readAllBytes(path);

        security.firstStart(path).afterSingletonsInstantiated();

        assertThat(Files.readAllBytes(path)).isEqualTo(before);
        assertThat(security.names()).containsExactly("admin");
    }

    @Test
    void createsAnotherAdministratorForLostOrForeignFile() throws Exception {
        security.firstStart(path).afterSingletonsInstantiated();
        Files.delete(path);
        security.firstStart(path).afterSingletonsInstantiated();
        new CredentialsFile(path).write(new CredentialsFile.Content("admin", "p", "orth_" + Secrets.token()));
        security.firstStart(path).afterSingletonsInstantiated();

        assertThat(security.names()).hasSize(3).allMatch(name -> name.matches("admin(-[0-9a-f]{6})?"));
        assertThat(security.tokens.find(
                        new CredentialsFile(path).read().orElseThrow().apiToken()))
                .isPresent();
    }

    @Test
    void createsNoAdministratorIfFileCannotBeWritten() throws Exception {
        Files.writeString(path, "");

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(
                        () -> security.firstStart(path.resolve("below.json")).afterSingletonsInstantiated());

        assertThat(security.names()).isEmpty();
    }

    @Test
    void createsOneAdministratorPerConcurrentlyStartedNode() {
        List<Path> files = IntStream.range(0, 4)
                .mapToObj(i -> directory.resolve("node" + i))
                .toList();

        files.parallelStream().forEach(file -> security.firstStart(file).afterSingletonsInstantiated());

        assertThat(security.names()).hasSize(4).contains("admin");
        assertThat(files)
                .allSatisfy(file -> assertThat(security.tokens.find(
                                new CredentialsFile(file).read().orElseThrow().apiToken()))
                        .isPresent());
    }

    @Test
    void announcesCodeWithoutFileAndUser() {
        security.firstStart(null).afterSingletonsInstantiated();

        assertThat(security.codes).hasSize(1);
        assertThat(security.names()).isEmpty();
    }

    @Test
    void announcesNothingIfAUserExists() {
        security.user("carol", Role.VIEWER);

        security.firstStart(null).afterSingletonsInstantiated();

        assertThat(security.codes).isEmpty();
    }

    @Test
    void oneOfTwoConcurrentSetupsWins() {
        SecurityFixture other = new SecurityFixture(db.dataSource());
        security.setup.isNeeded();
        other.setup.isNeeded();

        long made = List.of(security, other).parallelStream()
                .filter(node -> {
                    try {
                        node.setup.complete(node.codes.get(0), "first", "correct horse battery", "10.0.0.1");
                        return true;
                    } catch (OrthException e) {
                        return false;
                    }
                })
                .count();

        assertThat(made).isEqualTo(1);
        assertThat(security.names()).containsExactly("first");
        assertThat(security.setup.isNeeded()).isFalse();
        assertThat(other.setup.isNeeded()).isFalse();
    }
}
