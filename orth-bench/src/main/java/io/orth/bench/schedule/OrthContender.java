package io.orth.bench.schedule;

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
import java.util.Map;

/** Orth as users run it: a packaged admin and an executor, each a process. */
final class OrthContender implements Contender {

    private static final Duration START = Duration.ofMinutes(2);

    /** A job like the first, for each further number; whatever columns jobs have. */
    private static final String COPIES = """
            do $$
            declare columns text;
            begin
                select string_agg(quote_ident(column_name), ', ') into columns
                  from information_schema.columns
                 where table_name = 'orth_job' and is_identity = 'NO' and column_name <> 'name';
                execute format('insert into orth_job (name, %s) select ''job-'' || n, %s from orth_job, generate_series(%s, %s) n where id = %s',
                               columns, columns, FIRST, LAST, ORIGINAL);
            end $$
            """;

    private static final String OPEN_RUNS = "select count(*) from orth_run";

    private final BenchDatabase.Place database;
    private final Path directory;
    private final Path seen;
    private final String url;
    private final HttpClient http = HttpClient.newHttpClient();
    private final BenchProgram admin;
    private String token;
    private String groupId;
    private BenchProgram executor;

    private OrthContender(BenchProgram admin, String url, BenchDatabase.Place database, Path directory) {
        this.admin = admin;
        this.url = url;
        this.database = database;
        this.directory = directory;
        this.seen = directory.resolve("seen");
    }

    /** Returns when both run; leaves nothing behind when they do not. */
    static OrthContender start(Path adminJar, BenchDatabase.Place database, Path directory) throws Exception {
        int port = freePort();
        Path credentials = directory.resolve("credentials.json");
        BenchProgram admin = BenchProgram.ofJar(
                adminJar,
                directory.resolve("admin.log"),
                Map.of("ORTH_DATABASE_PASSWORD", database.password()),
                "--server.port=" + port,
                "--server.address=127.0.0.1",
                "--orth.data-dir=" + directory,
                "--orth.credentials-file=" + credentials,
                "--orth.database.url=" + database.url(),
                "--orth.database.user=" + database.user());
        OrthContender orth = new OrthContender(admin, "http://127.0.0.1:" + port, database, directory);
        try {
            orth.awaitAdmin(credentials);
            orth.startExecutor();
            return orth;
        } catch (Exception e) {
            orth.close();
            throw e;
        }
    }

    private void awaitAdmin(Path credentials) throws Exception {
        Patience.await("admin", START, () -> {
            admin.checkAlive();
            return Files.exists(credentials) && status("/actuator/health") == 200;
        });
        token = Json.readObject(Files.readAllBytes(credentials)).requiredText("apiToken");
        groupId = post("/api/groups", Map.of("name", "bench")).requiredText("id");
    }

    private void startExecutor() throws Exception {
        String groupToken = get("/api/groups/%s/token".formatted(groupId)).requiredText("token");
        executor = BenchProgram.ofClass(
                OrthProgram.class,
                directory.resolve("executor.log"),
                Map.of("ORTH_EXECUTOR_ACCESS_TOKEN", groupToken),
                url,
                directory.resolve("executor").toString(),
                seen.toString());
        Patience.await("executor", START, () -> {
            executor.checkAlive();
            return get("/api/executors?groupId=" + groupId).objects("items").stream()
                    .anyMatch(one -> one.text("status").equals("ONLINE"));
        });
    }

    /** Makes jobs that are never due, which a scanner must not feel. */
    void addIdleJobs(int jobs) throws Exception {
        copies(createJob("idle"), jobs, "idle");
    }

    @Override
    public void fire(int jobs, Instant first) throws Exception {
        int original = createJob("job-1");
        copies(original, jobs, "job");
        execute(
                "update orth_job set enabled = true, next_fire_at = ? where handler = 'bench' and id <> " + original,
                first);
        // The scanner sleeps until something is due; this change wakes it.
        post("/api/jobs/%d/resume".formatted(original), Map.of());
    }

    private int createJob(String name) throws IOException, InterruptedException {
        JsonObject job = post(
                "/api/jobs",
                Map.of(
                        "name",
                        name,
                        "groupId",
                        groupId,
                        "handler",
                        name.equals("idle") ? "idle" : OrthProgram.HANDLER,
                        "schedule",
                        Map.of("type", "CRON", "cron", "* * * * * ?", "zone", "UTC"),
                        "misfire",
                        "FIRE_ALL",
                        "enabled",
                        false));
        return Integer.parseInt(job.requiredText("id"));
    }

    private void copies(int original, int jobs, String prefix) throws SQLException {
        execute(COPIES.replace("FIRST", "2")
                .replace("LAST", Integer.toString(jobs))
                .replace("ORIGINAL", Integer.toString(original))
                .replace("job-", prefix + "-"));
        execute("analyze orth_job");
    }

    @Override
    public Sightings stop() throws Exception {
        execute("update orth_job set enabled = false, next_fire_at = null");
        Patience.await("end of all runs", Duration.ofMinutes(5), () -> number(OPEN_RUNS) == 0);
        executor.close();
        return Sightings.read(seen);
    }

    /** How many due instants of a window are recorded as done. */
    long recorded(Instant from, Instant to) throws SQLException {
        return number(
                "select count(*) from orth_run_all where status = 'SUCCESS' and schedule_time >= '%s' and schedule_time < '%s'"
                        .formatted(from, to));
    }

    private long number(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private void execute(String sql, Instant... parameters) throws SQLException {
        try (Connection connection = database.connect();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setTimestamp(i + 1, Timestamp.from(parameters[i]));
            }
            statement.execute();
        }
    }

    private JsonObject get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url + path)));
    }

    private JsonObject post(String path, Map<String, Object> body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(url + path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(body))));
    }

    private JsonObject send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<byte[]> answer = http.send(
                request.header("Authorization", "Bearer " + token).build(), HttpResponse.BodyHandlers.ofByteArray());
        if (answer.statusCode() >= 300) {
            throw new IOException(
                    "%d %s".formatted(answer.statusCode(), new String(answer.body(), StandardCharsets.UTF_8)));
        }
        return Json.readObject(answer.body());
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
        if (executor != null) {
            executor.close();
        }
        admin.close();
    }
}
