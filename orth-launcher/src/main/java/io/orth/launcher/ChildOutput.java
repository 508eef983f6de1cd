package io.orth.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The output of a child. All of it goes to a file, warnings and errors also to the terminal. The last lines are kept in memory
 * for the case that the child dies. The file of the previous start, or a full one, is kept with the suffix {@code .1}.
 */
final class ChildOutput {

    private static final int LAST_LINES = 30;
    private static final long FILE_LIMIT = 10 * 1024 * 1024;

    /** The level in the first columns of a line, where every logger writes it. */
    private static final Pattern TROUBLE = Pattern.compile("^.{0,80}?\\b(WARN|ERROR)\\b");

    private final String name;
    private final Path file;
    private final PrintStream terminal;
    /** Guarded by itself. */
    private final Deque<String> lastLines = new ArrayDeque<>();

    private Writer writer;
    private long written;

    ChildOutput(String name, Path file, PrintStream terminal) {
        this.name = name;
        this.file = file;
        this.terminal = terminal;
    }

    /** Reads to the end of the output on a separate thread. */
    Thread follow(InputStream output) {
        Thread thread = new Thread(() -> copy(output), "orth-output-" + name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Returns the last lines without stack frames, which do not help at a terminal. */
    List<String> lastLines() {
        synchronized (lastLines) {
            return List.copyOf(lastLines);
        }
    }

    Path file() {
        return file;
    }

    private void copy(InputStream output) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                keep(line);
                write(line);
                if (TROUBLE.matcher(line).find()) {
                    terminal.printf("[%s] %s%n", name, line);
                }
            }
            close();
        } catch (IOException e) {
            terminal.printf("The log file %s cannot be written any more (%s).%n", file, e.getMessage());
        }
    }

    private void keep(String line) {
        if (line.isBlank() || line.startsWith("\tat ") || line.startsWith("\t...")) {
            return;
        }
        synchronized (lastLines) {
            lastLines.add(line);
            if (lastLines.size() > LAST_LINES) {
                lastLines.remove();
            }
        }
    }

    private void write(String line) throws IOException {
        if (writer == null || written >= FILE_LIMIT) {
            close();
            Files.createDirectories(file.getParent());
            if (Files.exists(file)) {
                Files.move(file, file.resolveSibling(file.getFileName() + ".1"), StandardCopyOption.REPLACE_EXISTING);
            }
            writer = Files.newBufferedWriter(file);
            written = 0;
        }
        writer.write(line + "\n");
        writer.flush();
        written += line.length() + 1;
    }

    private void close() throws IOException {
        if (writer != null) {
            writer.close();
        }
    }
}
