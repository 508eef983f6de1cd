package io.orth.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Users and processes, as tests need them. */
final class Processes {

    private Processes() {}

    static boolean runByRoot() {
        return System.getProperty("user.name").equals("root");
    }

    /** Lets other users pass through a directory that JUnit made for its own user only. */
    static void letOthersReach(Path directory) throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
