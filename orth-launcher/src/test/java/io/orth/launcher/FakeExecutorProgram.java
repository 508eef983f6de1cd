package io.orth.launcher;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;

/** As much of an executor as the launcher needs: shows up at the admin, ends with its input. */
final class FakeExecutorProgram {

    private FakeExecutorProgram() {}

    public static void main(String[] arguments) throws Exception {
        List<String> given = List.of(arguments);
        Path data = Path.of(given.get(given.indexOf("--data") + 1)).getParent();
        Events.record(data, "executor token " + System.getenv("ORTH_EXECUTOR_ACCESS_TOKEN"));
        new TreeMap<>(System.getenv()).forEach((name, value) -> {
            if (name.startsWith("HYDRATE_")) {
                Events.record(data, "executor sees %s=%s".formatted(name, value));
            }
        });
        Events.record(data, "executor started " + ProcessHandle.current().pid());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Events.record(data, "executor stopped")));
        URI online = URI.create(given.get(given.indexOf("--admin") + 1) + "/fake/online");
        HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(online)
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.discarding());
        Events.awaitEndOfInput();
    }
}
