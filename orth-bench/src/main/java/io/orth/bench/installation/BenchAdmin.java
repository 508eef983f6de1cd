package io.orth.bench.installation;

import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A packaged admin in a process of its own, with its REST interface and its database. */
public final class BenchAdmin implements AutoCloseable {

    private static final Duration START = Duration.ofMinutes(2);

    private final BenchDatabase.Place database;
    private final String url;
    private final HttpClient http = HttpClient.newHttpClient();
    private final BenchProgram program;
    private String token;

    private BenchAdmin(BenchProgram program, String url, BenchDatabase.Place database) {
        this.program = program;
        this.url = url;
        this.database = database;
    }

    /** Returns when it answers; leaves nothing behind when it does not. */
    public static BenchAdmin start(Path adminJar, BenchDatabase.Place database, Path directory) throws Exception {
        return start(adminJar, database, directory, List.of());
    }

    /** @param jvmOptions further ones */
    public static BenchAdmin start(Path adminJar, BenchDatabase.Place database, Path directory, List<String> jvmOptions)
            throws Exception {
        int port = freePort();
        Path credentials = directory.resolve("credentials.json");
        BenchProgram program = BenchProgram.ofJar(
                adminJar,
                jvmOptions,
                directory.resolve("admin.log"),
                Map.of("ORTH_DATABASE_PASSWORD", database.password()),
                "--server.port=" + port,
                "--server.address=127.0.0.1",
                "--orth.data-dir=" + directory,
                "--orth.credentials-file=" + credentials,
                "--orth.database.url=" + database.url(),
                "--orth.database.user=" + database.user());
        BenchAdmin admin = new BenchAdmin(program, "http://127.0.0.1:" + port, database);
        try {
            admin.await(credentials);
            return admin;
        } catch (Exception e) {
            admin.close();
            throw e;
        }
    }

    private void await(Path credentials) throws Exception {
        Patience.await("admin", START, () -> {
            program.checkAlive();
            return Files.exists(credentials) && status("/actuator/health") == 200;
        });
        token = Json.readObject(Files.readAllBytes(credentials)).requiredText("apiToken");
    }

    public String url() {
        return url;
    }

    public long number(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    public void execute(String sql, Instant... parameters) throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setTimestamp(i + 1, Timestamp.from(parameters[i]));
            }
            statement.execute();
        }
    }

    public JsonObject get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url + path)));
    }

    public JsonObject post(String path, Map<String, Object> body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(body))));
    }

    public JsonObject put(String path, Map<String, Object> body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url + path))
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofByteArray(Json.write(body))));
    }

    /** How many requests it has answered since its start, whoever sent them. */
    public long requests() throws IOException, InterruptedException {
        return answer(HttpRequest.newBuilder(URI.create(url + "/actuator/prometheus")))
                .lines()
                .filter(line -> line.startsWith("http_server_requests_seconds_count"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private JsonObject send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return Json.readObject(answer(request).getBytes(StandardCharsets.UTF_8));
    }

    private String answer(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(
                request.header("Authorization", "Bearer " + token).build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IOException("%d %s".formatted(answer.statusCode(), answer.body()));
        }
        return answer.body();
    }

    private int status(String path) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(URI.create(url + path)).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        program.close();
    }
}
