package io.orth.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresTest {

    static final Path BINARIES = Path.of("target", "postgres-binaries").toAbsolutePath();

    @TempDir
    Path directory;

    private EmbeddedPostgres start() {
        return EmbeddedPostgres.start(EmbeddedPostgresOptions.in(directory).withBinariesIn(BINARIES));
    }

    private static Connection connect(EmbeddedPostgres postgres) throws SQLException {
        return DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
    }

    private static void execute(EmbeddedPostgres postgres, String sql) throws SQLException {
        try (Connection connection = connect(postgres);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String ask(EmbeddedPostgres postgres, String sql) throws SQLException {
        try (Connection connection = connect(postgres);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            assertThat(row.next()).as(sql).isTrue();
            return row.getString(1);
        }
    }

    @Test
    void keepsItsDataAcrossRestarts() throws Exception {
        String password;
        try (EmbeddedPostgres first = start()) {
            execute(first, "create table kept as select 42 as answer");
            password = first.password();
        }

        try (EmbeddedPostgres second = start()) {
            assertThat(ask(second, "select answer from kept")).isEqualTo("42");
            assertThat(second.password()).isEqualTo(password);
        }
    }

    @Test
    void isDurableAndListensOnTheLoopbackAddressOnly() throws Exception {
        Map<String, String> expected = Map.of(
                "fsync", "on",
                "synchronous_commit", "on",
                "full_page_writes", "on",
                "listen_addresses", "127.0.0.1",
                "unix_socket_directories", "",
                "server_encoding", "UTF8",
                "password_encryption", "scram-sha-256",
                "timezone", "UTC");

        try (EmbeddedPostgres postgres = start()) {
            for (Map.Entry<String, String> setting : expected.entrySet()) {
                assertThat(ask(postgres, "show " + setting.getKey()))
                        .as(setting.getKey())
                        .isEqualTo(setting.getValue());
            }
            assertThat(ask(postgres, "show server_version")).isEqualTo(postgres.version());
            assertThat(ask(postgres, "show port")).isEqualTo(Integer.toString(postgres.port()));
            assertThat(ask(postgres, "select string_agg(distinct auth_method, ',') from pg_hba_file_rules"))
                    .isEqualTo("scram-sha-256");
        }
    }

    @Test
    void comparesTextByCodePointAndKnowsItsLetters() throws Exception {
        try (EmbeddedPostgres postgres = start()) {
            assertThat(ask(postgres, "select string_agg(x, '' order by x) from unnest(array['b', 'a', 'Z', 'ä']) x"))
                    .isEqualTo("Zabä");
            assertThat(ask(postgres, "select lower('ÄÉ')")).isEqualTo("äé");
            assertThat(ask(postgres, "select datcollate from pg_database where datname = current_database()"))
                    .isEqualTo("C");
        }
    }

    @Test
    void skipsDurabilityForTests() throws Exception {
        EmbeddedPostgresOptions options =
                EmbeddedPostgresOptions.in(directory).withBinariesIn(BINARIES).withoutDurability();

        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(options)) {
            assertThat(ask(postgres, "show fsync")).isEqualTo("off");
            assertThat(ask(postgres, "show synchronous_commit")).isEqualTo("off");
        }
    }

    @Test
    void keepsTheGeneratedPasswordToItsOwner() throws Exception {
        try (EmbeddedPostgres postgres = start()) {
            Path file = directory.resolve("password");

            assertThat(file).hasContent(postgres.password());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThatThrownBy(() -> DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), "wrong"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password authentication failed");
        }
    }

    @Test
    void worksInADirectoryWithSpacesAndALongName() throws Exception {
        Path awkward = directory
                .resolve("a directory with spaces")
                .resolve("é".repeat(60))
                .resolve("x".repeat(120));

        try (EmbeddedPostgres postgres =
                EmbeddedPostgres.start(EmbeddedPostgresOptions.in(awkward).withBinariesIn(BINARIES))) {
            assertThat(ask(postgres, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void unpacksBinariesIntoTheDirectoryByDefault() throws Exception {
        Path spaced = directory.resolve("with spaces");

        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(EmbeddedPostgresOptions.in(spaced))) {
            assertThat(ask(postgres, "select 1")).isEqualTo("1");
            assertThat(spaced.resolve("binaries")).isDirectory();
        }
    }

    @Test
    void rejectsDirectoryHeldByAnotherServerOfThisProcess() throws Exception {
        try (EmbeddedPostgres holder = start()) {
            assertThatThrownBy(this::start)
                    .isInstanceOf(EmbeddedPostgresException.class)
                    .hasMessage(
                            "The database directory %s is already in use by another Orth (process %d); "
                                    + "stop that one first or choose another data directory.",
                            directory.toRealPath(), ProcessHandle.current().pid());
            assertThat(ask(holder, "select 1")).isEqualTo("1");
        }
        start().close();
    }

    @Test
    void restartsInterruptedInitialization() throws Exception {
        Path half = Files.createDirectories(directory.resolve("cluster.new"));
        Files.writeString(half.resolve("PG_VERSION"), "17\n");
        Files.writeString(directory.resolve("password"), "of the interrupted one");

        try (EmbeddedPostgres postgres = start()) {
            assertThat(ask(postgres, "select 1")).isEqualTo("1");
            assertThat(postgres.password()).isNotEqualTo("of the interrupted one");
            assertThat(half).doesNotExist();
        }
    }

    @Test
    void rejectsDataOfAnotherMajorVersion() throws Exception {
        Path data = Files.createDirectories(directory.resolve("cluster"));
        Files.writeString(data.resolve("PG_VERSION"), "9.6\n");

        assertThatThrownBy(this::start)
                .isInstanceOf(EmbeddedPostgresException.class)
                .hasMessageContaining("was made by PostgreSQL 9.6, but this Orth brings PostgreSQL 17");
        assertThat(data).isDirectoryContaining(path -> path.endsWith("PG_VERSION"));
    }

    @Test
    void rejectsDirectoryThatIsNoDatabase() throws Exception {
        Files.createDirectories(directory.resolve("cluster"));

        assertThatThrownBy(this::start).hasMessageContaining("is not a PostgreSQL data directory");
    }

    @Test
    void rejectsFileInPlaceOfDirectory() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "");

        assertThatThrownBy(() -> EmbeddedPostgres.start(EmbeddedPostgresOptions.in(file)))
                .isInstanceOf(EmbeddedPostgresException.class)
                .hasMessage("%s is needed as a directory, but it is a file.", file);
    }

    @Test
    void reportsServerErrorIfItDoesNotStart() throws Exception {
        start().close();
        Files.writeString(directory.resolve("cluster").resolve("postgresql.conf"), "shared_buffers = lots");

        assertThatThrownBy(this::start)
                .isInstanceOf(EmbeddedPostgresException.class)
                .hasMessageContaining("PostgreSQL did not start in ")
                .hasMessageContaining("postgresql.conf\" contains errors")
                .hasMessageContaining(
                        directory.toRealPath().resolve("log/postgres.log").toString());
    }

    @Test
    void ignoresAPidFileThatNamesAnotherProgram() throws Exception {
        start().close();
        Path data = directory.toRealPath().resolve("cluster");
        Files.writeString(
                data.resolve("postmaster.pid"),
                "%d%n%s%n".formatted(ProcessHandle.current().pid(), data));

        try (EmbeddedPostgres postgres = start()) {
            assertThat(ask(postgres, "select 1")).isEqualTo("1");
        }
    }

    @Test
    void completesFutureWhenTheServerEnds() throws Exception {
        EmbeddedPostgres postgres = start();
        assertThat(postgres.ended()).isNotDone();

        postgres.stop();

        postgres.ended().get(10, TimeUnit.SECONDS);
        postgres.stop();
    }

    @Test
    void asRootRejectsDirectoryThatOtherUsersCannotReach() throws Exception {
        assumeTrue(Processes.runByRoot());
        Path hidden = Files.createDirectories(directory.toRealPath().resolve("hidden/data"));
        Files.setPosixFilePermissions(hidden.getParent(), Directories.OWNER_ONLY);

        assertThat(ServerUser.asOtherUser(hidden, hidden)).isEmpty();
    }

    @Test
    void asRootItCanAlsoRunAsARealOtherUser() throws Exception {
        assumeTrue(Processes.runByRoot());
        Processes.letOthersReach(directory);
        Path real = directory.toRealPath();
        Path programs = Files.createDirectory(real.resolve("programs"));
        Binaries binaries = Binaries.unpacked(Platform.current(), programs);
        ServerUser user = ServerUser.asOtherUser(real, binaries.home()).orElseThrow();
        Cluster cluster = new Cluster(real, binaries, user, true);

        cluster.initializeIfMissing();
        ServerProcess server = ServerProcess.start(cluster, EmbeddedPostgresOptions.in(real));

        String url = "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(server.port());
        try (Connection connection = DriverManager.getConnection(url, EmbeddedPostgres.USER, cluster.password())) {
            assertThat(connection.isValid(5)).isTrue();
            assertThat(Files.getOwner(cluster.data()).getName()).isNotEqualTo("root");
        } finally {
            server.stop();
        }
    }
}
