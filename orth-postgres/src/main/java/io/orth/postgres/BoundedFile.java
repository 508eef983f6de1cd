package io.orth.postgres;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A text file that is renamed with the suffix {@code .1} when full, replacing the previous one. If it can no longer be written, this is
 * logged once and the text is discarded. Confined to one thread.
 */
final class BoundedFile {

    private static final Logger log = LoggerFactory.getLogger(BoundedFile.class);

    private final Path path;
    private final long limit;
    private Writer writer;
    private long size;
    private boolean broken;

    BoundedFile(Path path, long limit) {
        this.path = path;
        this.limit = limit;
    }

    void append(String line) {
        if (broken) {
            return;
        }
        try {
            if (writer == null) {
                open();
            } else if (size >= limit) {
                writer.close();
                open();
            }
            writer.write(line + "\n");
            writer.flush();
            size += line.length() + 1;
        } catch (IOException e) {
            broken = true;
            log.atWarn()
                    .addKeyValue("file", path)
                    .addKeyValue("reason", e.toString())
                    .log("the log of postgresql cannot be written any more");
        }
    }

    private void open() throws IOException {
        Files.createDirectories(path.getParent(), PosixFilePermissions.asFileAttribute(Directories.OWNER_ONLY));
        size = Files.exists(path) ? Files.size(path) : 0;
        if (size >= limit) {
            Files.move(path, path.resolveSibling(path.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
            size = 0;
        }
        writer = Files.newBufferedWriter(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    void close() {
        if (writer == null) {
            return;
        }
        try {
            writer.close();
        } catch (IOException e) {
            log.atDebug().addKeyValue("file", path).setCause(e).log("the log of postgresql was not closed cleanly");
        }
    }
}
