package io.orth.executor.internal.log;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes the log directories of days past their retention. Other files and directories are left alone. */
public final class RunLogPruner {

    private static final Logger log = LoggerFactory.getLogger(RunLogPruner.class);
    private static final Duration EVERY = Duration.ofHours(1);

    private final Path root;
    private final Clock clock;
    private final int retentionDays;

    public RunLogPruner(Path root, Clock clock, int retentionDays) {
        this.root = root;
        this.clock = clock;
        this.retentionDays = retentionDays;
    }

    /** Runs one pass of the loop. Returns the delay before the next one. */
    public Duration run() throws IOException {
        LocalDate firstKept = LocalDate.now(clock).minusDays(retentionDays);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root, "????-??-??")) {
            for (Path day : entries) {
                if (Files.isDirectory(day, LinkOption.NOFOLLOW_LINKS) && isBefore(day, firstKept)) {
                    delete(day);
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return EVERY;
    }

    private static boolean isBefore(Path day, LocalDate firstKept) {
        try {
            return LocalDate.parse(day.getFileName().toString()).isBefore(firstKept);
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** Deletes the logs of one day. A failure must not keep other days from being deleted. */
    private static void delete(Path day) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(day)) {
            for (Path file : files) {
                Files.delete(file);
            }
            Files.delete(day);
            log.atInfo().addKeyValue("day", day.getFileName()).log("deleted old log files");
        } catch (IOException | DirectoryIteratorException e) {
            log.atWarn().setCause(e).addKeyValue("directory", day).log("old log files cannot be deleted");
        }
    }
}
