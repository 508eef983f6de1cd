package io.orth.launcher;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** As much of an admin as the launcher needs, as a program: answers, remembers what it was asked, ends with its input. */
final class FakeAdminProgram {

    static final String MODE = "FAKE_ADMIN";

    private final Path data;
    private final AtomicInteger executors = new AtomicInteger();
    private final AtomicInteger jobs = new AtomicInteger();

    private FakeAdminProgram(Path data) {
        this.data = data;
    }

    public static void main(String[] arguments) throws IOException {
        if ("broken".equals(System.getenv(MODE))) {
            System.out.println("The database in this directory was made by PostgreSQL 9.6.");
            System.exit(3);
        }
        Path data = Path.of(option(arguments, "--orth.data-dir="));
        Events.record(data, "admin started " + ProcessHandle.current().pid());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Events.record(data, "admin stopped")));
        new FakeAdminProgram(data).serve(Integer.parseInt(option(arguments, "--server.port=")));
        if (List.of(arguments).stream().noneMatch(argument -> argument.startsWith("--orth.database.url="))) {
            runADatabase(data.resolve("postgres"));
        }
        Path credentials = Path.of(option(arguments, "--orth.credentials-file="));
        if (!Files.exists(credentials)) {
            Files.writeString(
                    credentials, "{\"user\":\"admin\",\"password\":\"pass-word\",\"apiToken\":\"api-token\"}");
        }
        System.out.println("2030-01-01 00:00:00 INFO  a quiet line");
        System.out.println("2030-01-01 00:00:00 WARN  a loud line");
        Events.awaitEndOfInput();
    }

    /** As much of it as others find it by. */
    private static void runADatabase(Path directory) throws IOException {
        Files.createDirectories(directory.resolve("cluster"));
        Files.writeString(directory.resolve("password"), "secret");
        Files.writeString(
                directory.resolve("cluster/postmaster.pid"),
                "4711\n%s\n1893499200\n54329\n\n127.0.0.1\n".formatted(directory.resolve("cluster")));
    }

    private static String option(String[] arguments, String prefix) {
        return List.of(arguments).stream()
                .filter(argument -> argument.startsWith(prefix))
                .findFirst()
                .orElseThrow()
                .substring(prefix.length());
    }

    private void serve(int port) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        switch (request) {
            case "GET /actuator/health" ->
                reply(
                        exchange,
                        200,
                        "{\"status\":\"%s\"}".formatted("paused".equals(System.getenv(MODE)) ? "PAUSED" : "UP"));
            case "POST /fake/online" -> {
                executors.incrementAndGet();
                reply(exchange, 200, "{}");
            }
            default -> {
                if ("Bearer api-token".equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                    api(exchange, request, body);
                } else {
                    reply(exchange, 401, "{}");
                }
            }
        }
    }

    private void api(HttpExchange exchange, String request, String body) throws IOException {
        Events.record(data, request + " " + body);
        Path group = data.resolve("fake-group");
        switch (request) {
            case "POST /api/groups" -> {
                boolean exists = Files.exists(group);
                Files.writeString(group, "");
                reply(exchange, exists ? 409 : 201, "{\"id\":\"5\",\"name\":\"samples\"}");
            }
            case "GET /api/groups?name=samples" ->
                reply(exchange, 200, "{\"items\":[{\"id\":\"5\",\"name\":\"samples\"}]}");
            case "GET /api/groups/5/token" -> reply(exchange, 200, "{\"token\":\"group-token\"}");
            case "GET /api/executors?groupId=5" -> reply(exchange, 200, executors());
            case "POST /api/jobs" -> reply(exchange, 201, "{\"id\":\"%d\"}".formatted(jobs.incrementAndGet()));
            case "POST /api/jobs/1/trigger" -> reply(exchange, 201, "{\"runId\":\"1\"}");
            case "PUT /api/pipelines/hydrateAll" -> reply(exchange, 201, "{}");
            default -> reply(exchange, 404, "{}");
        }
    }

    /** An offline executor of an earlier start, not yet declared dead, and the online ones. */
    private String executors() {
        String online = executors.get() > 0 ? ",{\"instanceId\":\"here\",\"status\":\"ONLINE\"}" : "";
        return "{\"items\":[{\"instanceId\":\"gone\",\"status\":\"ONLINE\"}%s]}".formatted(online);
    }

    private static void reply(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
