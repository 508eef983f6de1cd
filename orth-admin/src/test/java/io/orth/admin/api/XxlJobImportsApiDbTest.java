package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.admin.xxlimport.TestMariaDb;
import io.orth.admin.xxlimport.XxlJobTables;
import io.orth.admin.xxlimport.XxlJobTables.Generation;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("must-runs")
class XxlJobImportsApiDbTest {

    private static final String PATH = "/api/xxl-job-imports";
    private static final AtomicInteger NAMES = new AtomicInteger();

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    @RegisterExtension
    static final TestMariaDb mariaDb = new TestMariaDb();

    private SecuredClient api;
    private String app;

    @BeforeEach
    void setUp() {
        api = admin.api();
        app = "xxl-app-%d".formatted(NAMES.incrementAndGet());
    }

    private XxlJobTables xxlJob() {
        return mariaDb.xxlJob(Generation.V2_3);
    }

    private String body(XxlJobTables tables) {
        return body(Map.of("database", tables.name()));
    }

    /** Defaults for columns that a test does not set; empty text leaves a field out. */
    private String body(Map<String, Object> said) {
        Map<String, Object> body = new LinkedHashMap<>(Map.of(
                "host",
                "127.0.0.1",
                "port",
                mariaDb.port(),
                "database",
                "none",
                "user",
                XxlJobTables.USER,
                "password",
                XxlJobTables.PASSWORD,
                "zone",
                "Asia/Shanghai"));
        body.putAll(said);
        body.values().removeIf(""::equals);
        return JsonMapper.shared().writeValueAsString(body);
    }

    private JsonNode imported(XxlJobTables tables) {
        Answer answer = api.post(PATH, body(tables));
        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        return answer.json();
    }

    private static JsonNode entry(JsonNode report, String kind, int id) {
        return StreamSupport.stream(report.path("entries").spliterator(), false)
                .filter(each -> each.path("kind").asString().equals(kind)
                        && each.path("sourceId").asString().equals(Integer.toString(id)))
                .findFirst()
                .orElseThrow();
    }

    private static String texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(each -> texts.add(each.asString()));
        return String.join(" | ", texts);
    }

    private JsonNode job(JsonNode report, int id) {
        JsonNode entry = entry(report, "JOB", id);
        assertThat(entry.path("outcome").asString()).as(entry.toString()).isEqualTo("CREATED");
        return api.get("/api/jobs/" + entry.path("id").asString()).json();
    }

    private long rows(String table) {
        return admin.jdbc()
                .sql("select count(*) from " + table)
                .query(Long.class)
                .single();
    }

    @ParameterizedTest
    @EnumSource
    void importsEachSchemaGenerationAfterPreviewIdempotently(Generation generation) {
        XxlJobTables tables = mariaDb.xxlJob(generation)
                .group(1, app, "Billing")
                .job(2, 1, "Nightly", "schedule_type", "CRON", "schedule_conf", "0 0 3 * * ?", "trigger_status", 1)
                .job(3, 1, "Script", "glue_type", "GLUE_SHELL", "glue_source", "echo now", "child_jobid", "2")
                .source(3, "GLUE_SHELL", "echo before", "first")
                .user(1, app + "-admin", 1, "")
                .user(2, app + "-user", 0, "1");
        long groups = rows("orth_executor_group");
        long jobs = rows("orth_job");
        long users = rows("orth_user");

        JsonNode tried = api.post(PATH + "/preview", body(tables)).json();
        assertThat(tried.path("dryRun").asBoolean()).isTrue();
        assertThat(tried.path("jobs").path("created").asInt()).isEqualTo(2);
        assertThat(List.of(rows("orth_executor_group"), rows("orth_job"), rows("orth_user")))
                .containsExactly(groups, jobs, users);

        JsonNode taken = imported(tables);
        assertThat(taken.path("groups").path("created").asInt()).isEqualTo(1);
        assertThat(taken.path("jobs").path("created").asInt()).isEqualTo(2);
        assertThat(taken.path("users").path("created").asInt()).isEqualTo(2);
        assertThat(entry(taken, "JOB", 2).path("wasRunning").asBoolean()).isTrue();
        JsonNode nightly = job(taken, 2);
        assertThat(nightly.path("groupName").asString()).isEqualTo(app);
        assertThat(nightly.path("enabled").asBoolean()).isFalse();
        assertThat(nightly.path("schedule").path("zone").asString()).isEqualTo("Asia/Shanghai");

        JsonNode again = imported(tables);
        assertThat(again.path("groups").path("exists").asInt()).isEqualTo(1);
        assertThat(again.path("jobs").path("exists").asInt()).isEqualTo(2);
        assertThat(again.path("users").path("exists").asInt()).isEqualTo(2);
        assertThat(rows("orth_job")).isEqualTo(jobs + 2);
        assertThat(api.get("/api/jobs/" + nightly.path("id").asString()).json()).isEqualTo(nightly);
    }

    @Test
    void repeatedImportAddsNewJobsAndLinksExistingOnes() {
        XxlJobTables tables = xxlJob().group(1, app, "g").job(7, 1, "Child");
        String child = entry(imported(tables), "JOB", 7).path("id").asString();

        JsonNode again = imported(tables.job(3, 1, "Parent", "child_jobid", "7"));

        assertThat(again.path("jobs").path("created").asInt()).isEqualTo(1);
        assertThat(childrenOf(job(again, 3))).containsExactly(child);
    }

    @Test
    void neverOverwritesExistingJobsAndGroups() {
        String group = api.post("/api/groups", "{\"name\":\"%s\",\"title\":\"Mine\"}".formatted(app))
                .json()
                .path("id")
                .asString();
        String mine = api.post(
                        "/api/jobs", "{\"name\":\"Nightly\",\"groupId\":\"%s\",\"handler\":\"mine\"}".formatted(group))
                .json()
                .path("id")
                .asString();

        JsonNode report = imported(xxlJob().group(1, app, "Theirs").job(2, 1, "Nightly"));

        assertThat(entry(report, "JOB", 2).path("outcome").asString()).isEqualTo("FAILED");
        assertThat(entry(report, "JOB", 2).path("problem").asString())
                .isEqualTo(
                        "job %s has the same name and is another one: its handler is 'mine' here, 'demoJobHandler' there."
                                        .formatted(mine)
                                + " Rename one of them and import again");
        assertThat(api.get("/api/jobs/" + mine).json().path("handler").asString())
                .isEqualTo("mine");
        assertThat(api.get("/api/groups/" + group).json().path("title").asString())
                .isEqualTo("Mine");
    }

    @Test
    void importsAllSettingsOfAJob() {
        JsonNode job = job(
                imported(xxlJob().group(1, app, "g")
                        .job(
                                5,
                                1,
                                "Full",
                                "schedule_type",
                                "FIX_RATE",
                                "schedule_conf",
                                "30",
                                "misfire_strategy",
                                "FIRE_ONCE_NOW",
                                "executor_handler",
                                "fullHandler",
                                "executor_param",
                                "{\"a\": \"中文 🚀\"}",
                                "executor_timeout",
                                60,
                                "executor_fail_retry_count",
                                3)),
                5);

        assertThat(job.path("handler").asString()).isEqualTo("fullHandler");
        assertThat(job.path("param").asString()).isEqualTo("{\"a\": \"中文 🚀\"}");
        assertThat(job.path("schedule").path("type").asString()).isEqualTo("FIXED_RATE");
        assertThat(job.path("schedule").path("interval").asString()).isEqualTo("PT30S");
        assertThat(job.path("misfire").asString()).isEqualTo("FIRE_ONCE");
        assertThat(job.path("timeoutSeconds").asInt()).isEqualTo(60);
        assertThat(job.path("maxAttempts").asInt()).isEqualTo(4);
        assertThat(job.path("backoff").path("maxDelay").asString()).isEqualTo("PT10S");
    }

    @ParameterizedTest
    @CsvSource({
        "executor_route_strategy, FIRST, routing, FIRST",
        "executor_route_strategy, LAST, routing, LAST",
        "executor_route_strategy, ROUND, routing, ROUND",
        "executor_route_strategy, RANDOM, routing, RANDOM",
        "executor_route_strategy, CONSISTENT_HASH, routing, CONSISTENT_HASH",
        "executor_route_strategy, LEAST_FREQUENTLY_USED, routing, LFU",
        "executor_route_strategy, LEAST_RECENTLY_USED, routing, LRU",
        "executor_route_strategy, FAILOVER, routing, FAILOVER",
        "executor_route_strategy, BUSYOVER, routing, BUSYOVER",
        "executor_route_strategy, SHARDING_BROADCAST, routing, SHARDING_BROADCAST",
        "executor_block_strategy, SERIAL_EXECUTION, blockStrategy, SERIAL",
        "executor_block_strategy, DISCARD_LATER, blockStrategy, DISCARD",
        "executor_block_strategy, COVER_EARLY, blockStrategy, COVER",
        "misfire_strategy, DO_NOTHING, misfire, DO_NOTHING",
        "misfire_strategy, FIRE_ONCE_NOW, misfire, FIRE_ONCE"
    })
    void translatesEnumValues(String column, String theirs, String field, String ours) {
        JsonNode report = imported(xxlJob().group(1, app, "g").job(2, 1, "Words", column, theirs));

        assertThat(job(report, 2).path(field).asString()).isEqualTo(ours);
        assertThat(job(report, 2).path("blockScope").asString()).isEqualTo("EXECUTOR");
        assertThat(texts(entry(report, "JOB", 2).path("changed"))).isEmpty();
    }

    @Test
    void importsSourcesWithTheirVersions() {
        XxlJobTables tables = xxlJob().group(1, app, "g");
        int id = 10;
        for (String type :
                List.of("GLUE_GROOVY", "GLUE_SHELL", "GLUE_PYTHON", "GLUE_PHP", "GLUE_NODEJS", "GLUE_POWERSHELL")) {
            tables.job(id++, 1, type, "glue_type", type, "glue_source", "now\n", "glue_remark", "current");
        }
        tables.source(11, "GLUE_SHELL", "one", "first")
                .source(11, "GLUE_PYTHON", "other kind", "x")
                .source(11, "GLUE_SHELL", "x".repeat(1_100_000), "too large")
                .source(11, "GLUE_SHELL", "now\n", "current");

        JsonNode report = imported(tables);

        assertThat(report.path("jobs").path("created").asInt()).isEqualTo(6);
        JsonNode shell = job(report, 11);
        assertThat(shell.path("glue").path("type").asString()).isEqualTo("GLUE_SHELL");
        assertThat(shell.path("glue").path("source").asString()).isEqualTo("now\n");
        assertThat(shell.path("handler").isNull()).isTrue();
        JsonNode versions = api.get(
                        "/api/jobs/%s/sources".formatted(shell.path("id").asString()))
                .json()
                .path("items");
        assertThat(versions).hasSize(2);
        assertThat(versions.path(1).path("note").asString()).isEqualTo("first (XXL-JOB, 2024-05-06 07:08:09)");
        assertThat(texts(entry(report, "JOB", 11).path("notMapped"))).contains("at most 1 MB", "1 earlier versions");
    }

    @Test
    void importsChildrenAndBreaksCycles() {
        JsonNode report = imported(xxlJob().group(1, app, "g")
                .job(1, 1, "Parent", "child_jobid", "3, 2,3")
                .job(2, 1, "Second")
                .job(3, 1, "Third", "child_jobid", "4")
                .job(4, 1, "Closes the circle", "child_jobid", "1,4,99,x")
                .job(5, 1, "Of a broken one", "child_jobid", "6")
                .job(6, 1, "Broken", "schedule_type", "CRON", "schedule_conf", "nonsense"));

        assertThat(childrenOf(job(report, 1)))
                .containsExactly(
                        entry(report, "JOB", 3).path("id").asString(),
                        entry(report, "JOB", 2).path("id").asString());
        assertThat(childrenOf(job(report, 3)))
                .containsExactly(entry(report, "JOB", 4).path("id").asString());
        assertThat(childrenOf(job(report, 4))).isEmpty();
        assertThat(texts(entry(report, "JOB", 4).path("notMapped")))
                .contains("child 1 would lead back", "child 4 would lead back", "child 99 does not exist", "child 'x'");
        assertThat(texts(entry(report, "JOB", 5).path("notMapped"))).contains("child 6 was not imported");
    }

    private static List<String> childrenOf(JsonNode job) {
        List<String> ids = new ArrayList<>();
        job.path("children").forEach(child -> ids.add(child.path("jobId").asString()));
        return ids;
    }

    @Test
    void reportsBadRowsAndImportsTheOthers() {
        XxlJobTables tables = xxlJob().group(1, app, "g")
                .job(1, 1, "Good")
                .job(2, 1, "Cron", "schedule_type", "CRON", "schedule_conf", "0 0 25 * * ?")
                .job(3, 1, "Rate", "schedule_type", "FIX_RATE", "schedule_conf", "often")
                .job(4, 1, "Type", "schedule_type", "SOMETIMES")
                .job(5, 1, "Glue", "glue_type", "GLUE_COBOL")
                .job(6, 1, "No handler", "executor_handler", "")
                .job(7, 99, "No group")
                .job(8, 1, "Large", "glue_type", "GLUE_SHELL", "glue_source", "x".repeat(3_000_000))
                .job(9, 1, "No source", "glue_type", "GLUE_SHELL")
                .job(10, 1, "Nul", "executor_param", "a\0b")
                .job(11, 1, "Timeout", "executor_timeout", Integer.MAX_VALUE)
                .job(13, 1, "Handler", "executor_handler", "two\nlines")
                .job(12, 1, "Also good", "executor_timeout", -5, "executor_fail_retry_count", -1);

        JsonNode tried = api.post(PATH + "/preview", body(tables)).json();
        JsonNode report = imported(tables);

        assertThat(report.path("jobs").path("created").asInt()).isEqualTo(2);
        assertThat(report.path("jobs").path("failed").asInt()).isEqualTo(11);
        Map<Integer, String> reasons = Map.ofEntries(
                Map.entry(2, "cron"),
                Map.entry(3, "schedule_conf must be seconds, got often"),
                Map.entry(4, "schedule_type is not known: SOMETIMES"),
                Map.entry(5, "glue_type is not known: GLUE_COBOL"),
                Map.entry(6, "handler is missing"),
                Map.entry(7, "its executor group 99 is not there"),
                Map.entry(8, "at most 1 MB"),
                Map.entry(9, "glue.source is missing"),
                Map.entry(10, "U+0000"),
                Map.entry(11, "timeoutSeconds"),
                Map.entry(13, "handler must not contain control characters"));
        reasons.forEach((id, reason) -> {
            assertThat(entry(report, "JOB", id).path("problem").asString()).contains(reason);
            assertThat(entry(tried, "JOB", id).path("problem").asString()).contains(reason);
        });
        assertThat(job(report, 12).path("timeoutSeconds").asInt()).isZero();
    }

    @Test
    void reportsUnknownValuesAndUsesDefaults() {
        JsonNode report = imported(xxlJob().group(1, app, "g")
                .job(
                        1,
                        1,
                        "Odd",
                        "executor_route_strategy",
                        "<script>",
                        "executor_block_strategy",
                        "WHO_KNOWS",
                        "misfire_strategy",
                        "LATER",
                        "executor_fail_retry_count",
                        5_000,
                        "author",
                        "somebody",
                        "alarm_email",
                        "ops@example.org"));

        assertThat(texts(entry(report, "JOB", 1).path("changed")))
                .contains(
                        "routing '<script>' is not known: ROUND",
                        "block strategy 'WHO_KNOWS' is not known: SERIAL",
                        "misfire strategy 'LATER' is not known: DO_NOTHING",
                        "5000 retries are 100 attempts here");
        assertThat(texts(entry(report, "JOB", 1).path("notMapped"))).contains("alarm mail to ops@example.org");
        assertThat(texts(report.path("leftOut"))).contains("the authors of 1 jobs", "passwords", "their logs");
    }

    @Test
    void reportsCronsThatDifferBetweenVersions() {
        JsonNode report = imported(xxlJob().group(1, app, "g")
                .job(1, 1, "Last", "schedule_type", "CRON", "schedule_conf", " 0 0 3 L * ? ")
                .job(2, 1, "Past", "schedule_type", "CRON", "schedule_conf", "0 0 3 1 1 ? 2001"));

        assertThat(texts(entry(report, "JOB", 1).path("changed"))).contains("fires in every month");
        assertThat(job(report, 2).path("enabled").asBoolean()).isFalse();
        assertThat(texts(entry(report, "JOB", 2).path("changed"))).contains("no fire time left");
    }

    @Test
    void adaptsNamesUniquelyAndStably() {
        XxlJobTables tables = xxlJob().group(1, app, "g")
                .job(1, 1, "Same", "child_jobid", "2")
                .job(2, 1, "Same")
                .job(3, 1, "")
                .job(4, 1, "two\nlines\t\u0007")
                .job(5, 1, "🚀".repeat(120))
                .job(6, 1, "🚀".repeat(120))
                .job(7, 1, "Other (9)")
                .job(8, 1, "Other")
                .job(9, 1, "Other");

        JsonNode report = imported(tables);

        assertThat(entry(report, "JOB", 1).path("name").asString()).isEqualTo("Same");
        assertThat(entry(report, "JOB", 2).path("name").asString()).isEqualTo("Same (2)");
        assertThat(texts(entry(report, "JOB", 2).path("changed"))).contains("name was 'Same'");
        assertThat(entry(report, "JOB", 3).path("name").asString()).isEqualTo("XXL-JOB job 3");
        assertThat(entry(report, "JOB", 4).path("name").asString()).isEqualTo("two lines");
        assertThat(entry(report, "JOB", 5).path("name").asString()).isEqualTo("🚀".repeat(100));
        assertThat(entry(report, "JOB", 6).path("name").asString()).isEqualTo("🚀".repeat(98) + " (6)");
        assertThat(entry(report, "JOB", 9).path("name").asString()).isEqualTo("Other (9)*");
        assertThat(imported(tables).path("jobs").path("exists").asInt()).isEqualTo(9);
    }

    @Test
    void mergesGroupsOfOneAppAndAdaptsInvalidNames() {
        JsonNode report = imported(xxlJob().group(1, app, "First\u0007")
                .group(2, app, "Second")
                .group(3, app + " 中", "x")
                .group(4, app + " 文", "y")
                .group(5, "中文", "z")
                .job(1, 1, "Same")
                .job(2, 2, "Same"));

        assertThat(report.path("groups").path("created").asInt()).isEqualTo(4);
        assertThat(entry(report, "GROUP", 2).path("id"))
                .isEqualTo(entry(report, "GROUP", 1).path("id"));
        assertThat(texts(entry(report, "GROUP", 2).path("changed"))).contains("same app name");
        assertThat(entry(report, "GROUP", 3).path("name").asString()).isEqualTo(app + "--");
        assertThat(entry(report, "GROUP", 4).path("name").asString()).isEqualTo(app + "---4");
        assertThat(entry(report, "GROUP", 5).path("name").asString()).isEqualTo("group-5");
        assertThat(entry(report, "JOB", 2).path("name").asString()).isEqualTo("Same (2)");
        api.delete("/api/groups/" + entry(report, "GROUP", 5).path("id").asString());
    }

    @Test
    void movesManualAddressesToTheJobs() {
        JsonNode report = imported(xxlJob().manualGroup(
                        1, app, "http://10.0.0.1:9999/, http://10.0.0.2:9999,http://169.254.169.254:80/,http://db:1/")
                .job(1, 1, "Pinned", "executor_route_strategy", "FAILOVER"));

        assertThat(texts(job(report, 1).path("addresses"))).isEqualTo("http://10.0.0.1:9999 | http://10.0.0.2:9999");
        assertThat(texts(entry(report, "GROUP", 1).path("notMapped"))).contains("169.254.169.254", "http://db:1/");
        assertThat(texts(entry(report, "GROUP", 1).path("changed"))).contains("entered by hand");
    }

    @Test
    void importsUsersDisabledWithoutAdditionalRights() {
        JsonNode report = imported(xxlJob().group(7, app, "g")
                .user(1, app + ".boss", 1, "")
                .user(2, app + ".one", 0, "7,8")
                .user(3, "<b>bold</b>", 1, "")
                .user(4, app + ".other", 17, ""));

        Map<String, JsonNode> users = new HashMap<>();
        api.get("/api/users?limit=500")
                .json()
                .path("items")
                .forEach(user -> users.put(user.path("name").asString(), user));
        assertThat(users.get(app + ".boss").path("role").asString()).isEqualTo("ADMIN");
        assertThat(users.get(app + ".one").path("role").asString()).isEqualTo("VIEWER");
        assertThat(users.get(app + ".other").path("role").asString()).isEqualTo("VIEWER");
        assertThat(List.of(users.get(app + ".boss"), users.get(app + ".one")))
                .noneMatch(user -> user.path("enabled").asBoolean());
        assertThat(texts(entry(report, "USER", 2).path("notMapped"))).contains("groups %s, 8".formatted(app));
        assertThat(entry(report, "USER", 3).path("outcome").asString()).isEqualTo("FAILED");
        assertThat(admin.anonymous().login(app + ".boss", "123456").status()).isEqualTo(401);
    }

    @Test
    void reportsTablesWithoutReadPermission() {
        XxlJobTables tables = xxlJob().group(1, app, "g").job(1, 1, "Job").user(1, app, 1, "");
        tables.sql(
                "revoke all on %1$s.* from '%2$s'@'%%'; grant select on %1$s.xxl_job_group to '%2$s'@'%%'; grant select on %1$s.xxl_job_info to '%2$s'@'%%'"
                        .formatted(tables.name(), XxlJobTables.USER));

        JsonNode report = imported(tables);

        assertThat(report.path("jobs").path("created").asInt()).isEqualTo(1);
        assertThat(report.path("users").path("created").asInt()).isZero();
        assertThat(texts(report.path("leftOut"))).contains("xxl_job_user", "xxl_job_logglue");
    }

    @Test
    void rejectsMoreJobsThanOneImportAllows() {
        XxlJobTables tables = xxlJob().group(1, app, "g")
                .sql(
                        "insert into xxl_job_info (job_group, job_desc, glue_type) select 1, seq, 'BEAN' from seq_1_to_10001");

        Answer refused = api.post(PATH + "/preview", body(tables));

        assertThat(refused.code()).isEqualTo("INVALID_INPUT");
        assertThat(refused.json().path("detail").asString()).contains("more than 10000 jobs");
    }

    @Test
    void importsEmptyInstallation() {
        JsonNode report = imported(xxlJob());

        assertThat(report.path("entries")).isEmpty();
    }

    @Test
    void theConnectionCanBeEncrypted() {
        XxlJobTables tables = xxlJob().group(1, app, "g");

        Answer answer = api.post(PATH + "/preview", body(Map.of("database", tables.name(), "tls", true)));

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    }

    @Test
    void theUrlOfXxlJobsOwnSettingsIsUnderstood() {
        XxlJobTables tables = xxlJob().group(1, app, "g");
        String url =
                "jdbc:mysql://127.0.0.1:%d/%s?useUnicode=true&characterEncoding=UTF-8&autoReconnect=true&serverTimezone=Asia/Shanghai"
                        .formatted(mariaDb.port(), tables.name());

        Answer answer = api.post(PATH + "/preview", body(Map.of("url", url, "host", "", "port", "", "database", "")));

        assertThat(answer.status()).as(answer.body()).isEqualTo(200);
        assertThat(answer.json().path("source").asString())
                .isEqualTo("127.0.0.1:%d/%s".formatted(mariaDb.port(), tables.name()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:mysql://h:3306/d?allowLoadLocalInfile=true",
                "jdbc:mysql://h:3306/d?autoDeserialize=true",
                "jdbc:mysql://h:3306/d?useUnicode=true&queryInterceptors=x",
                "jdbc:mysql://h:3306/d?useSSL=true",
                "jdbc:mysql://a:3306,b:3306/d",
                "jdbc:mysql://u:p@h:3306/d",
                "jdbc:mysql://address=(host=h)(allowLocalInfile=true)/d",
                "jdbc:mariadb:replication://h/d",
                "jdbc:postgresql://h/d",
                "jdbc:h2:mem:x;INIT=RUNSCRIPT",
                "http://h/d"
            })
    void rejectsUrlsWithMoreThanHostAndPort(String url) {
        Answer refused = api.post(PATH + "/preview", body(Map.of("url", url, "host", "", "port", "", "database", "")));

        assertThat(refused.code()).isEqualTo("INVALID_INPUT");
        assertThat(refused.json().path("errors").path(0).path("field").asString())
                .isEqualTo("url");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            host     | host     | 127.1
            host     | host     | 0x7f000001
            host     | host     | 2130706433
            host     | host     | a b
            host     | host     | db/x?allowLocalInfile=true
            host     | host     | no-such-host.invalid
            port     | port     | 0
            port     | port     | 65536
            database | database | no_such_database
            database | database | a/b?x=y
            database | database | mysql.user
            user     | user     | ''
            password | password | wrong
            password | user     | nobody
            zone     | zone     | ''
            zone     | zone     | Mars/Base
            """)
    void namesInvalidConnectionField(String field, String key, String value) {
        Object given = key.equals("port") ? Integer.valueOf(value) : value;

        Answer refused = api.post(PATH + "/preview", body(Map.of(key, given)));

        assertThat(refused.code()).as(refused.body()).isEqualTo("INVALID_INPUT");
        assertThat(refused.json().path("errors").path(0).path("field").asString())
                .as(refused.body())
                .isEqualTo(field);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254",
                "[::ffff:169.254.169.254]",
                "0.0.0.0",
                "[::]",
                "224.0.0.1",
                "[ff02::1]",
                "[fe80::1]"
            })
    void doesNotConnectToReservedAddresses(String host) {
        Answer refused = api.post(PATH + "/preview", body(Map.of("host", host)));

        assertThat(refused.json().path("detail").asString()).startsWith("host is refused: ");
    }

    @Test
    void rejectsDatabaseWithoutXxlJobTables() {
        XxlJobTables none = xxlJob().sql("drop table xxl_job_info");
        XxlJobTables old = xxlJob().sql("alter table xxl_job_info drop column schedule_type");

        assertThat(api.post(PATH, body(none)).json().path("detail").asString()).contains("no table xxl_job_info");
        assertThat(api.post(PATH, body(old)).json().path("detail").asString()).contains("before 2.3");
    }

    @Test
    void aColumnThatIsMissingIsNamed() {
        XxlJobTables tables = xxlJob().group(1, app, "g")
                .job(1, 1, "Job")
                .sql("alter table xxl_job_info drop column executor_timeout");

        Answer refused = api.post(PATH, body(tables));

        assertThat(refused.code()).isEqualTo("INVALID_INPUT");
        assertThat(refused.json().path("detail").asString()).contains("executor_timeout");
    }

    @Test
    void allowsOneImportAtATime() throws Exception {
        String any = body(xxlJob());
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<Answer> first = CompletableFuture.supplyAsync(() ->
                    admin.api().post(PATH, body(Map.of("port", silent.getLocalPort()))));
            try (Socket accepted = silent.accept()) {
                assertThat(api.post(PATH, any).code()).isEqualTo("CONFLICT");
                accepted.shutdownOutput();
            }
            assertThat(first.get(20, TimeUnit.SECONDS).code()).isEqualTo("INVALID_INPUT");
        }
        assertThat(api.post(PATH, any).status()).isEqualTo(200);
    }

    @Test
    void requiresAdministrator() {
        for (String role : List.of("VIEWER", "OPERATOR")) {
            String token = api.post("/api/tokens", "{\"name\":\"%s %s\",\"role\":\"%s\"}".formatted(app, role, role))
                    .json()
                    .path("token")
                    .asString();
            assertThat(admin.anonymous().bearer(token).post(PATH, "{}").status())
                    .isEqualTo(403);
            assertThat(admin.anonymous()
                            .bearer(token)
                            .post(PATH + "/preview", "{}")
                            .status())
                    .isEqualTo(403);
        }
        assertThat(admin.anonymous().post(PATH, "{}").status()).isEqualTo(401);
    }

    @Test
    void auditsImportWithoutThePassword() {
        XxlJobTables tables = xxlJob().group(1, app, "g").job(1, 1, "Job");

        imported(tables);
        api.post(PATH, body(Map.of("database", tables.name(), "password", "a wrong secret")));

        List<String> rows = admin.jdbc()
                .sql("select orth_audit::text from orth_audit where orth_audit::text like :place order by id")
                .param("place", "%" + tables.name() + "%")
                .query(String.class)
                .list();
        assertThat(rows).hasSize(2);
        assertThat(rows.get(0)).contains("groups 1 created, 0 there, 0 failed; jobs 1 created");
        assertThat(rows).noneMatch(row -> row.contains(XxlJobTables.PASSWORD) || row.contains("a wrong secret"));
    }
}
