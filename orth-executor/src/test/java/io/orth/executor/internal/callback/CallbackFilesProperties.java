package io.orth.executor.internal.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.protocol.CallbackItem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens to one file, it is recognised, and the others are not touched. */
class CallbackFilesProperties {

    private static final List<CallbackItem> ITEMS =
            List.of(new CallbackItem(1, 2, 200, "ok", "i"), new CallbackItem(3, 4, 500, "nö\n\"", "i"));
    private static final List<CallbackItem> OTHERS = List.of(new CallbackItem(9, 9, 200, null, null));

    @TempDir
    Path directory;

    private CallbackFiles files;

    @BeforeEach
    void open() throws IOException {
        files = CallbackFiles.open(directory);
    }

    @AfterEach
    void close() throws IOException {
        files.close();
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        Path file = files.write(ITEMS);

        assertThat(file.getFileName().toString()).matches("orth-callback-[0-9a-f]{32}\\.log");
        assertThat(files.read(file)).contains(ITEMS);
        assertThat(files.list(10, any -> true)).containsExactly(file);
        assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void aFileCutAtAnyByteIsSetAside() throws IOException {
        Path other = files.write(OTHERS);
        Path file = files.write(ITEMS);
        byte[] whole = Files.readAllBytes(file);

        for (int length = 0; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));

            assertThat(files.read(file)).as("cut to %d bytes", length).isEmpty();
            assertThat(file).doesNotExist();
            assertThat(Files.size(Path.of(file + ".bad"))).isEqualTo(length);
        }

        assertThat(files.list(10, any -> true)).containsExactly(other);
        assertThat(files.read(other)).contains(OTHERS);
    }

    @Test
    void aFileWithAnyBitFlippedIsSetAside() throws IOException {
        Path other = files.write(OTHERS);
        Path file = files.write(ITEMS);
        byte[] whole = Files.readAllBytes(file);

        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            flipped[bit / 8] ^= (byte) (1 << (bit % 8));
            Files.write(file, flipped);

            assertThat(files.read(file)).as("bit %d flipped", bit).isEmpty();
        }

        assertThat(files.read(other)).contains(OTHERS);
    }

    @Test
    void whatOnlyLooksLikeAFileIsSetAside() throws IOException {
        Path directoryInDisguise = directory.resolve("orth-callback-00000000000000000000000000000000.log");
        Path linkInDisguise = directory.resolve("orth-callback-11111111111111111111111111111111.log");
        Files.createDirectory(directoryInDisguise);
        Files.createSymbolicLink(linkInDisguise, files.write(OTHERS));

        assertThat(files.read(directoryInDisguise)).isEmpty();
        assertThat(files.read(linkInDisguise)).isEmpty();
        assertThat(Path.of(directoryInDisguise + ".bad")).isDirectory();
        assertThat(Path.of(linkInDisguise + ".bad")).isSymbolicLink();
    }

    @Test
    void aFileThatIsGoneIsNotDamaged() throws IOException {
        Path file = files.write(ITEMS);
        files.delete(file);

        assertThat(files.read(file)).isEmpty();
        assertThat(Path.of(file + ".bad")).doesNotExist();
    }

    @Test
    void anUnfinishedFileIsDeletedAtTheNextStart() throws IOException {
        Path unfinished = directory.resolve("orth-callback-00000000000000000000000000000000.log.tmp");
        Files.writeString(unfinished, "[{");
        files.close();

        files = CallbackFiles.open(directory);

        assertThat(unfinished).doesNotExist();
        assertThat(files.list(10, any -> true)).isEmpty();
    }

    @Test
    void aDirectoryBelongsToOneExecutor() {
        assertThatThrownBy(() -> CallbackFiles.open(directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("another executor uses the directory " + directory);
    }
}
