package io.orth.executor.internal.script;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Finds the processes whose environment contains a tag, by means of Linux's {@code /proc}. Finds none on other systems. */
final class TaggedProcesses {

    private static final Path PROC = Path.of("/proc");

    private final String assignment;
    private final Path proc;

    TaggedProcesses(String variable, String tag) {
        this(PROC, variable, tag);
    }

    TaggedProcesses(Path proc, String variable, String tag) {
        this.proc = proc;
        this.assignment = variable + "=" + tag;
    }

    boolean areKnown() {
        return Files.isReadable(proc.resolve("self").resolve("environ"));
    }

    Set<ProcessHandle> find() {
        Set<ProcessHandle> found = new HashSet<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(proc, "[0-9]*")) {
            for (Path entry : entries) {
                tagged(entry).ifPresent(found::add);
            }
        } catch (IOException | DirectoryIteratorException e) {
            // Keep what was found so far; the caller scans again.
        }
        return found;
    }

    /** Returns whether the process is alive; a zombie is not. */
    boolean isAlive(ProcessHandle process) {
        return process.isAlive() && !isZombie(process.pid());
    }

    /**
     * Returns the process if it has the tag. The handle is obtained first: it holds the start time, so that a later process with
     * the same id is not mistaken for it.
     */
    private Optional<ProcessHandle> tagged(Path entry) {
        return ProcessHandle.of(Long.parseLong(entry.getFileName().toString())).filter(process -> hasTag(entry));
    }

    private boolean hasTag(Path entry) {
        try {
            String environment = Files.readString(entry.resolve("environ"), StandardCharsets.ISO_8859_1);
            return ("\0" + environment).contains("\0" + assignment + "\0");
        } catch (IOException e) {
            // The process has ended or belongs to another user.
            return false;
        }
    }

    /** Reads the state: the first word after the name, which is in parentheses and may itself contain parentheses. */
    private boolean isZombie(long pid) {
        try {
            String stat =
                    Files.readString(proc.resolve(Long.toString(pid)).resolve("stat"), StandardCharsets.ISO_8859_1);
            return stat.startsWith("Z", stat.lastIndexOf(')') + 2);
        } catch (IOException e) {
            return false;
        }
    }
}
