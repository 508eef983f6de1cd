package io.orth.admin.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.testkit.TestDatabase;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An admin as a process of its own, on a schema that a newer Orth has migrated. */
@Tag("must-first")
class SchemaMigrationDbTest {

    private static final long LIMIT_SECONDS = 120;

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @TempDir
    Path directory;

    @Test
    @Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void rejectsSchemaNewerThanTheAdmin() throws Exception {
        JdbcClient jdbc = JdbcClient.create(db.dataSource());
        String known = jdbc.sql("select version from flyway_schema_history order by installed_rank desc limit 1")
                .query(String.class)
                .single();
        jdbc.sql("""
                        insert into flyway_schema_history (installed_rank, version, description, type, script, checksum,
                                                           installed_by, execution_time, success)
                        values (100000, '9999', 'later', 'SQL', 'V9999__later.sql', 1, 'orth', 1, true)
                        """).update();
        Path said = directory.resolve("stderr");

        Process admin = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classPath(),
                        OrthAdmin.class.getName(),
                        "--server.port=0",
                        "--orth.database.url=" + db.url(),
                        "--orth.database.user=" + db.user(),
                        "--orth.database.password=" + db.password(),
                        "--orth.data-dir=" + directory.resolve("data"))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(said.toFile())
                .start();
        try {
            assertThat(admin.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
                    .as("it has ended")
                    .isTrue();
        } finally {
            admin.destroyForcibly();
        }

        assertThat(admin.exitValue()).isEqualTo(1);
        assertThat(Files.readString(said, StandardCharsets.UTF_8).strip())
                .isEqualTo("orth: the database's schema has version 9999, but this admin knows versions up to " + known
                        + ": start a newer Orth, or restore the backup made before the upgrade");
    }

    /** Without the tests' own configurations, which the admin would take for its own. */
    private static String classPath() {
        String all = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Arrays.stream(all.split(File.pathSeparator))
                .filter(entry -> !entry.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
