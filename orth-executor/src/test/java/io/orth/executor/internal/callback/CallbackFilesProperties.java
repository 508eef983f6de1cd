package io.orth.executor.internal.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.protocol.CallbackItem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever happens to one file, it is recognised, and the others are not touched. */
class CallbackFilesProperties {

    private static final List<CallbackItem> ITEMS =
            List.of(new CallbackItem(1, 2, 200, "ok", "i"), new CallbackItem(3, 4, 500, "nö\n\"", "i"));
    private static final List<CallbackItem> OTHERS = List.of(new CallbackItem(9, 9, 200, null, null));

    /** Records of all kinds, with their places in the file. */
    private static final List<CallbackItem> MANY = List.of(
            new CallbackItem(1, 2, 200, null, null),
            new CallbackItem(9_007_199_254_740_991L, 1_893_499_200_000L, 500, "n\u00f6\n\"\\ {\"logId\":7}", "i"),
            new CallbackItem(3, 4, 502, "\uD83D\uDE00 5f3a90c1 00000002 {}", "i"),
            new CallbackItem(5, 6, 200, "", "i"));

    private record Place(CallbackItem item, int begin, int end) {

        boolean covers(int at) {
            return at >= begin && at < end;
        }
    }

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
    void readsBackWrittenItems() throws IOException {
        Path file = files.write(ITEMS);

        assertThat(file.getFileName().toString()).matches("orth-callback-[0-9a-f]{32}\\.log");
        assertThat(files.read(file)).contains(new Batch(file, ITEMS));
        assertThat(files.list(10, any -> true)).containsExactly(file);
        assertThat(directory).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    @Tag("must-executor")
    void noCutLosesARecordThatIsWhole() {
        byte[] whole = CallbackRecords.write(MANY);

        for (int length = 0; length <= whole.length; length++) {
            int cut = length;
            List<CallbackItem> intact = intact(record -> record.end() <= cut);

            assertThat(CallbackRecords.read(Arrays.copyOf(whole, length)))
                    .as("cut to %d bytes", length)
                    .isEqualTo(intact);
        }
    }

    @Test
    @Tag("must-executor")
    void truncatedStartLosesNoIntactRecord() {
        byte[] whole = CallbackRecords.write(MANY);

        for (int from = 0; from <= whole.length; from++) {
            int cut = from;

            assertThat(CallbackRecords.read(Arrays.copyOfRange(whole, from, whole.length)))
                    .as("the first %d bytes cut off", from)
                    .isEqualTo(intact(record -> record.begin() >= cut));
        }
    }

    @Test
    @Tag("must-executor")
    void noFlippedBitLosesAnotherRecordOrChangesItsOwn() {
        byte[] whole = CallbackRecords.write(MANY);

        for (int bit = 0; bit < whole.length * 8; bit++) {
            byte[] flipped = whole.clone();
            int at = bit / 8;
            flipped[at] ^= (byte) (1 << (bit % 8));

            List<CallbackItem> read = CallbackRecords.read(flipped);

            // A digit in upper case is still the same digit.
            boolean sameNumber = Character.isLetter(whole[at]) && bit % 8 == 5 && read.equals(MANY);
            if (!sameNumber) {
                assertThat(read).as("bit %d flipped", bit).isEqualTo(intact(record -> !record.covers(at)));
            }
        }
    }

    @Test
    @Tag("must-executor")
    void damagedFileLosesNoIntactRecord() throws IOException {
        Random random = new Random(3);
        Path other = files.write(OTHERS);

        for (int round = 0; round < 60; round++) {
            Path file = files.write(MANY);
            byte[] damaged = Files.readAllBytes(file);
            int at = random.nextInt(damaged.length);
            boolean cut = random.nextBoolean();
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, cut ? Arrays.copyOf(damaged, at) : damaged);
            FileTime written = FileTime.from(Instant.ofEpochSecond(1_000 + round));
            Files.setLastModifiedTime(file, written);

            Optional<Batch> saved = files.read(file);

            List<CallbackItem> whole = intact(record -> cut ? record.end() <= at : !record.covers(at));
            assertThat(saved.map(Batch::items).orElse(List.of())).containsAll(whole);
            assertThat(Path.of(file + ".bad")).hasBinaryContent(cut ? Arrays.copyOf(damaged, at) : damaged);
            if (saved.isPresent()) {
                Path savedFile = saved.get().file();
                assertThat(files.read(savedFile)).contains(saved.get());
                assertThat(Files.getLastModifiedTime(savedFile)).isEqualTo(written);
                files.delete(savedFile);
            }
            assertThat(file).doesNotExist();
        }
        assertThat(files.list(10, any -> true)).containsExactly(other);
        assertThat(files.read(other)).contains(new Batch(other, OTHERS));
    }

    @Test
    void aMessageCannotPassForARecord() {
        String inside = new String(
                CallbackRecords.write(List.of(new CallbackItem(666, 1, 200, "forged", "i"))), StandardCharsets.UTF_8);
        byte[] bytes = CallbackRecords.write(List.of(new CallbackItem(1, 2, 500, inside, "i")));
        bytes[0] ^= 1;

        assertThat(CallbackRecords.read(bytes)).isEmpty();
    }

    @Test
    void aFileOfAnotherFormIsSetAside() throws IOException {
        Path file = directory.resolve("orth-callback-99914b932bd37a50b983c5e7c90ae93b.log");
        Files.writeString(file, "{}");

        assertThat(files.read(file)).isEmpty();
        assertThat(Path.of(file + ".bad")).exists();
    }

    @Test
    void setsAsideDirectoriesAndLinksNamedLikeFiles() throws IOException {
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
    void treatsDeletedFileAsEmptyNotDamaged() throws IOException {
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

    /** The records whose places, without the line's end, are accepted. */
    private static List<CallbackItem> intact(Predicate<Place> whole) {
        List<CallbackItem> intact = new ArrayList<>();
        int begin = 0;
        for (CallbackItem item : MANY) {
            int length = CallbackRecords.write(List.of(item)).length;
            if (whole.test(new Place(item, begin, begin + length - 1))) {
                intact.add(item);
            }
            begin += length;
        }
        return intact;
    }
}
