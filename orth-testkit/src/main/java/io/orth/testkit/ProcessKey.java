package io.orth.testkit;

/** Names a process in a way that no later one will be named; fit for names of files and of databases. */
final class ProcessKey {

    private ProcessKey() {}

    static String of(ProcessHandle process) {
        String started = process.info()
                .startInstant()
                .map(instant -> Long.toString(instant.toEpochMilli(), Character.MAX_RADIX))
                .orElse("unknown");
        return process.pid() + "_" + started;
    }
}
