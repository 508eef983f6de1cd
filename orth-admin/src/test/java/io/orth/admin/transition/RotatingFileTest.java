package io.orth.admin.transition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("must-transitions")
@Timeout(60)
class RotatingFileTest {

    @TempDir
    Path directory;

    private Path path;
    private RotatingFile file;

    @BeforeEach
    void setUp() {
        path = directory.resolve("log");
        file = new RotatingFile(path, 10, 3);
    }

    private void write(String line) throws IOException {
        write(file, line);
    }

    private static void write(RotatingFile file, String line) throws IOException {
        file.append(ByteBuffer.wrap((line + "\n").getBytes(UTF_8)));
        file.force();
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(one -> one.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void rotatesFullFileAndDeletesOldest() throws IOException {
        for (String line : List.of("one", "two", "three", "four", "five", "six")) {
            write(line);
        }

        assertThat(names()).containsExactly("log", "log.1", "log.2");
        assertThat(path).hasContent("six\n");
        assertThat(directory.resolve("log.1")).hasContent("four\nfive\n");
        assertThat(directory.resolve("log.2")).hasContent("three\n");
    }

    @Test
    void neverSplitsLine() throws IOException {
        write("longer than a file may be");
        write("next");

        assertThat(directory.resolve("log.1")).hasContent("longer than a file may be\n");
        assertThat(path).hasContent("next\n");
    }

    @Test
    void continuesFileOfPreviousProcess() throws IOException {
        write("one");
        RotatingFile next = new RotatingFile(path, 10, 3);
        write(next, "two");
        assertThat(path).hasContent("one\ntwo\n");

        write(new RotatingFile(path, 10, 3), "three");

        assertThat(path).as("which is full already").hasContent("three\n");
        assertThat(directory.resolve("log.1")).hasContent("one\ntwo\n");
    }

    @Test
    void startsNewLineAfterIncompleteOne() throws IOException {
        Files.writeString(path, "on\nha");

        write("two");

        assertThat(path).hasContent("on\nha\ntwo\n");
    }

    @Test
    void recreatesDeletedFile() throws IOException {
        write("one");
        Files.delete(path);

        write("two");

        assertThat(path).hasContent("two\n");
    }

    @Test
    void leavesFileMovedByOthersAlone() throws IOException {
        write("one");
        Files.move(path, directory.resolve("theirs"));
        Files.createFile(path);

        write("two");

        assertThat(path).hasContent("two\n");
        assertThat(directory.resolve("theirs")).hasContent("one\n");
    }

    @Test
    void continuesTruncatedFileAtItsStart() throws IOException {
        write("one");
        Files.write(path, new byte[0], StandardOpenOption.TRUNCATE_EXISTING);

        write("two");

        assertThat(path).hasContent("two\n");
    }

    @Test
    void recreatesDeletedDirectory() throws IOException {
        Path below = directory.resolve("a").resolve("b").resolve("log");
        RotatingFile deep = new RotatingFile(below, 10, 3);
        write(deep, "one");
        Files.delete(below);
        Files.delete(below.getParent());

        write(deep, "two");

        assertThat(below).hasContent("two\n");
    }

    @Test
    void failsWhileDirectoryIsUnusable() throws IOException {
        Path notADirectory = Files.createFile(directory.resolve("occupied"));
        RotatingFile below = new RotatingFile(notADirectory.resolve("log"), 10, 3);

        assertThatThrownBy(() -> write(below, "one")).isInstanceOf(IOException.class);
        Files.delete(notADirectory);
        write(below, "one");

        assertThat(notADirectory.resolve("log")).hasContent("one\n");
    }

    @Test
    void neverOverwritesFileThatCannotBeRotated() throws IOException {
        write("first one");
        write("second");
        Path inTheWay = Files.createDirectories(directory.resolve("log.2").resolve("in the way"));

        assertThatThrownBy(() -> write("third")).isInstanceOf(IOException.class);
        assertThat(path).hasContent("second\n");
        Files.delete(inTheWay);
        write("third");

        assertThat(path).hasContent("third\n");
        assertThat(directory.resolve("log.1")).hasContent("second\n");
        assertThat(directory.resolve("log.2")).hasContent("first one\n");
    }

    @Test
    void deletesFilesBeyondReducedLimit() throws IOException {
        for (int n = 1; n <= 5; n++) {
            Files.writeString(directory.resolve("log." + n), "old");
        }
        write("one");
        write("two");
        write("three");

        assertThat(names()).containsExactly("log", "log.1", "log.2");
    }

    @Test
    void recoversFromFullDisk() throws Exception {
        Path disk = Files.createDirectory(directory.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=256k", "orth-test", disk.toString()),
                "needs the right to mount");
        try {
            RotatingFile full = new RotatingFile(disk.resolve("log"), 1_000_000, 2);
            write(full, "one");
            Path filler = disk.resolve("filler");
            Files.write(filler, new byte[200_000]);
            String much = "x".repeat(100_000);
            assertThatThrownBy(() -> write(full, much)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> write(full, "two")).isInstanceOf(IOException.class);
            Files.delete(filler);
            write(full, "two");

            assertThat(Files.readAllLines(disk.resolve("log")))
                    .startsWith("one")
                    .endsWith("two")
                    .hasSizeLessThanOrEqualTo(3);
        } finally {
            assertThat(run("umount", "-l", disk.toString())).isTrue();
        }
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
