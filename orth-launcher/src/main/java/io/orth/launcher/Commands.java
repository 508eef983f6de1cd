package io.orth.launcher;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How the admin and the sample executor are called. Secrets travel in the environment, which other users cannot see. */
final class Commands {

    private static final String TOKEN_VARIABLE = "ORTH_EXECUTOR_ACCESS_TOKEN";

    private final LauncherOptions options;

    Commands(LauncherOptions options) {
        this.options = options;
    }

    List<String> admin() {
        List<String> command = jar(options.adminJar());
        command.addAll(List.of(
                "--server.port=" + options.port(),
                "--server.address=127.0.0.1",
                "--orth.data-dir=" + options.dataDirectory(),
                "--orth.credentials-file=" + options.credentialsFile(),
                "--orth.environment=local",
                "--orth.lifeline=stdin"));
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

    private List<String> jar(Path jar) {
        return new ArrayList<>(List.of(options.java().toString(), "-jar", jar.toString()));
    }
}
