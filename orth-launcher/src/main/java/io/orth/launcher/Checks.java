package io.orth.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Checks the preconditions before anything starts, so that a mistake is reported within a second and in one sentence. */
final class Checks {

    private Checks() {}

    static void dataDirectory(Path directory) {
        try {
            if (!Files.exists(directory)) {
                Files.createDirectories(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            Files.delete(Files.createTempFile(directory, ".writable", null));
        } catch (FileAlreadyExistsException e) {
            throw LauncherException.failed(
                    "The data directory %s cannot be used: %s is a file.".formatted(directory, e.getFile()));
        } catch (IOException e) {
            throw LauncherException.failed(
                    "The data directory %s cannot be written to (%s); choose another with --data."
                            .formatted(directory, reason(e)));
        }
    }

    private static String reason(IOException e) {
        if (e instanceof AccessDeniedException) {
            return "permission denied";
        }
        return e instanceof FileSystemException detailed && detailed.getReason() != null
                ? detailed.getReason()
                : e.getMessage();
    }

    static void portIsFree(int port) {
        try {
            new ServerSocket(port, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1})).close();
        } catch (IOException e) {
            throw LauncherException.failed(
                    "Port %d is already in use; stop the program that uses it or choose another with --port."
                            .formatted(port));
        }
    }

    static void isFile(String what, Path file) {
        if (!Files.isRegularFile(file)) {
            throw LauncherException.failed("%s is missing: there is no file %s.".formatted(what, file));
        }
    }
}
