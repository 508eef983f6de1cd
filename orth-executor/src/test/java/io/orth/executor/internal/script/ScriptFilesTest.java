package io.orth.executor.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.ScriptLanguage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScriptFilesTest {

    private static final ScriptFile FIRST = new ScriptFile(7, 1000, ScriptLanguage.PYTHON);
    private static final ScriptFile SECOND = new ScriptFile(7, 2000, ScriptLanguage.PYTHON);
    private static final ScriptFile OTHER_JOB = new ScriptFile(77, 1000, ScriptLanguage.SHELL);

    @TempDir
    Path parent;

    private Path directory;
    private ScriptFiles files;

    @BeforeEach
    void prepare() {
        directory = parent.resolve("gluesource");
        files = new ScriptFiles(directory);
    }

    @Test
    @Tag("must-executor")
    void aFileIsNamedAfterJobAndVersion() throws IOException {
        files.acquire(FIRST, "print('ü')");

        assertThat(names()).containsExactly("7_1000.py");
        assertThat(directory.resolve("7_1000.py")).hasContent("print('ü')");
    }

    @Test
    void onlyTheOwnerCanReadThem() throws IOException {
        files.acquire(FIRST, "x");

        assertThat(permissions(directory)).isEqualTo("rwx------");
        assertThat(permissions(directory.resolve("7_1000.py"))).isEqualTo("rw-------");
    }

    @Test
    void anOldVersionGoesWhenANewOneIsThere() throws IOException {
        files.acquire(FIRST, "1");
        files.acquire(OTHER_JOB, "other");
        files.release(FIRST);
        assertThat(names()).contains("7_1000.py");

        files.acquire(SECOND, "2");

        assertThat(names()).containsExactly("77_1000.sh", "7_2000.py");
    }

    @Test
    void anOldVersionStaysWhileItIsUsed() throws IOException {
        files.acquire(FIRST, "1");
        files.acquire(FIRST, "1");
        files.acquire(SECOND, "2");
        assertThat(names()).containsExactly("7_1000.py", "7_2000.py");

        files.release(FIRST);
        assertThat(names()).containsExactly("7_1000.py", "7_2000.py");

        files.release(FIRST);
        assertThat(names()).containsExactly("7_2000.py");
    }

    @Test
    void theSameVersionWithOtherTextReplacesTheFile() throws IOException {
        files.acquire(FIRST, "1");
        files.acquire(FIRST, "2");
        files.release(FIRST);

        assertThat(directory.resolve("7_1000.py")).hasContent("2");
    }

    @Test
    @Tag("must-executor")
    void aFileThatDisappearedIsWrittenAgain() throws IOException {
        files.acquire(FIRST, "1");
        Files.delete(directory.resolve("7_1000.py"));
        Files.delete(directory);

        Path restored = files.restore(FIRST, "1");

        assertThat(restored).isAbsolute().hasContent("1");
    }

    @Test
    void deletesFilesLeftByEarlierStart() throws IOException {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve("5_1.sh"), "old");
        Files.writeString(directory.resolve("5_1.sh.123.tmp"), "half");
        Files.writeString(directory.resolve("notes.txt"), "not ours");

        files.acquire(FIRST, "1");

        assertThat(names()).containsExactly("7_1000.py", "notes.txt");
    }

    @Test
    void aLinkInItsPlaceIsReplacedAndNotFollowed() throws IOException {
        Path victim = Files.writeString(parent.resolve("victim"), "precious");
        files.acquire(OTHER_JOB, "x");
        Files.createSymbolicLink(directory.resolve("7_1000.py"), victim);

        files.acquire(FIRST, "1");

        assertThat(victim).hasContent("precious");
        assertThat(directory.resolve("7_1000.py")).isRegularFile().hasContent("1");
        assertThat(Files.isSymbolicLink(directory.resolve("7_1000.py"))).isFalse();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
