package io.orth.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The commands that start the admin and the sample executor. Secrets are passed in the environment, which other users cannot read. */
final class Commands {

    /** The launcher and its children run on the same Java. */
    private static final int FIRST_JAVA_WITH_KEPT_CLASSES = 19;

    /**
     * An admin without memory does not respond and keeps its leases, so it should exit. Not for executors, which continue after a
     * handler has run out of memory.
     */
    private static final String EXIT_WITHOUT_MEMORY = "-XX:+ExitOnOutOfMemoryError";

    private static final String TOKEN_VARIABLE = "ORTH_EXECUTOR_ACCESS_TOKEN";

    private final LauncherOptions options;

    Commands(LauncherOptions options) {
        this.options = options;
    }

    List<String> admin() {
        List<String> command = jar(options.adminJar(), EXIT_WITHOUT_MEMORY);
        command.addAll(List.of(
                "--server.port=" + options.port(),
                "--server.address=127.0.0.1",
                "--orth.data-dir=" + options.dataDirectory(),
                "--orth.credentials-file=" + options.credentialsFile(),
                "--orth.environment=local",
                "--orth.lifeline=stdin"));
        options.cache().ifPresent(cache -> command.add("--orth.database.programs-dir=" + cache.resolve("postgres")));
        options.database().ifPresent(database -> {
            command.add("--orth.database.url=" + database.url());
            command.add("--orth.database.user=" + database.user());
        });
        return command;
    }

    Map<String, String> adminEnvironment() {
        return options.database()
                .map(database -> Map.of(LauncherOptions.PASSWORD_VARIABLE, database.password()))
                .orElse(Map.of());
    }

    List<String> executor() {
        List<String> command = jar(options.executorJar());
        command.addAll(List.of(
                "--admin",
                options.baseUrl(),
                "--group",
                Samples.GROUP,
                "--host",
                "127.0.0.1",
                "--data",
                options.dataDirectory().resolve("executor").toString(),
                "--samples",
                "--lifeline",
                "stdin"));
        return command;
    }

    static Map<String, String> executorEnvironment(String accessToken) {
        return Map.of(TOKEN_VARIABLE, accessToken);
    }

    private List<String> jar(Path jar, String... javaOptions) {
        List<String> command = new ArrayList<>();
        command.add(options.java().toString());
        command.addAll(List.of(javaOptions));
        options.cache().ifPresent(cache -> command.addAll(keptClasses(cache, jar)));
        command.addAll(List.of("-jar", jar.toString()));
        return command;
    }

    /**
     * Java stores its loaded classes in a file when it exits and reads them at the next start, which halves the startup time. A
     * file of another Java or jar is recreated; one that cannot be used or written does no harm.
     */
    private static List<String> keptClasses(Path cache, Path jar) {
        if (Runtime.version().feature() < FIRST_JAVA_WITH_KEPT_CLASSES) {
            return List.of();
        }
        Path archive = cache.resolve(jar.getFileName() + ".jsa");
        return List.of("-XX:+AutoCreateSharedArchive", "-XX:SharedArchiveFile=" + archive, "-Xlog:disable");
    }
}
