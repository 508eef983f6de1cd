package io.orth.testkit;

import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** A build with its test JVMs: the process that all of them descend from, and with which their server ends. */
record Build(ProcessHandle process) {

    /** On the command line of every Maven, whichever script started it. */
    private static final String MAVEN = "classworlds";

    /** Nothing where this JVM was not started by Maven, as by a development environment. */
    static Optional<Build> ofThisProcess() {
        return Stream.iterate(parent(ProcessHandle.current()), Objects::nonNull, Build::parent)
                .filter(process -> process.info().commandLine().orElse("").contains(MAVEN))
                .findFirst()
                .map(Build::new);
    }

    /** Nothing if there is no such process any more. */
    static Optional<Build> of(long pid) {
        return ProcessHandle.of(pid).map(Build::new);
    }

    private static ProcessHandle parent(ProcessHandle process) {
        return process.parent().orElse(null);
    }

    /** A dead process that nobody collects is alive for Java, but has no command any more. */
    boolean isRunning() {
        return process.isAlive() && process.info().command().isPresent();
    }

    long pid() {
        return process.pid();
    }

    /** Tells builds apart even if the system uses a process id again. */
    String key() {
        return ProcessKey.of(process);
    }
}
