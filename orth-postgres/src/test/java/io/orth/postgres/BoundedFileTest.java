package io.orth.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoundedFileTest {

    @TempDir
    Path directory;

    @Test
    void keepsTheNewestLinesAndTheFileBefore() throws Exception {
        Path path = directory.resolve("log/server.log");
        BoundedFile file = new BoundedFile(path, 10);

        for (int line = 1; line <= 5; line++) {
            file.append("line " + line);
        }
        file.close();

        assertThat(Files.readString(path)).isEqualTo("line 5\n");
        assertThat(Files.readString(directory.resolve("log/server.log.1"))).isEqualTo("line 3\nline 4\n");
    }

    @Test
    void appendsToTheFileOfTheLastStart() throws Exception {
        Path path = directory.resolve("server.log");
        Files.writeString(path, "before\n");

        BoundedFile file = new BoundedFile(path, 100);
        file.append("after");
        file.close();

        assertThat(Files.readString(path)).isEqualTo("before\nafter\n");
    }

    @Test
    void dropsTextWhenFileIsUnwritable() throws Exception {
        Files.writeString(directory.resolve("log"), "a file where a directory should be");
        BoundedFile file = new BoundedFile(directory.resolve("log/server.log"), 100);

        file.append("one");
        file.append("two");
        file.close();

        assertThat(directory.resolve("log")).hasContent("a file where a directory should be");
    }
}
