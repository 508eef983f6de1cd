package io.orth.admin.xxlimport;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.xxlimport.XxlJobRows.About;
import io.orth.admin.xxlimport.XxlJobRows.How;
import io.orth.admin.xxlimport.XxlJobRows.Outline;
import io.orth.admin.xxlimport.XxlJobRows.Schedule;
import io.orth.admin.xxlimport.XxlJobRows.Source;
import io.orth.admin.xxlimport.XxlJobRows.What;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.mariadb.jdbc.Driver;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** A read-only snapshot of an XXL-JOB database with a schema of versions 2.3 to 3.x. The size of every result is limited. */
final class XxlJobDatabase implements AutoCloseable {

    /** Timeouts of connecting and of queries. */
    record Patience(Duration connect, Duration answer) {

        static final Patience USUAL = new Patience(Duration.ofSeconds(5), Duration.ofSeconds(20));
    }

    static final int MOST_JOBS = 10_000;
    static final int MOST_GROUPS = 1_000;
    static final int MOST_USERS = 1_000;

    /** One character more than Orth accepts, so that a cut text is detected as too long. */
    private static final int LONGEST_SOURCE = 1024 * 1024 + 1;

    private static final int LONGEST_PARAM = 65_537;
    private static final int MOST_VERSIONS = 30;

    /** Excludes methods that send the password in clear text or ask another program for it. */
    private static final String SAFE_AUTHENTICATION =
            "mysql_native_password,caching_sha2_password,sha256_password,client_ed25519,parsec";

    private static final String SNAPSHOT = "start transaction with consistent snapshot, read only";

    private static final String COLUMNS = """
            select lower(table_name) as t, lower(column_name) as c
              from information_schema.columns
             where table_schema = database()
               and table_name like 'xxl\\_job\\_%'
            """;

    private static final String GROUPS = """
            select id, app_name, %s as title, address_type, left(address_list, 20000) as address_list
              from xxl_job_group
             order by id
             limit :limit
            """;

    private static final String USERS = """
            select id, username, role, permission
              from xxl_job_user
             order by id
             limit :limit
            """;

    private static final String OUTLINES = """
            select id, job_group, %s as name, child_jobid
              from xxl_job_info
             order by id
             limit :limit
            """;

    private static final String JOBS = """
            select id, author, alarm_email, schedule_type, schedule_conf, misfire_strategy, executor_route_strategy,
                   executor_handler, left(executor_param, :param) as executor_param, executor_block_strategy,
                   executor_timeout, executor_fail_retry_count, glue_type, trigger_status
              from xxl_job_info
             where id in (:ids)
            """;

    private static final String CURRENT_SOURCE = """
            select glue_type, left(glue_source, :longest) as glue_source, glue_remark, glue_updatetime as updated
              from xxl_job_info
             where id = :id
            """;

    /** Selects the newest versions, in ascending order. */
    private static final String EARLIER_SOURCES = """
            select glue_type, glue_source, glue_remark, updated
              from (select id, glue_type, left(glue_source, :longest) as glue_source, glue_remark, update_time as updated
                      from xxl_job_logglue
                     where job_id = :id
                     order by id desc
                     limit :limit) newest
             order by id
            """;

    private final SingleConnectionDataSource connection;
    private final JdbcClient jdbc;
    /** Column names by table. */
    private final Map<String, Set<String>> columns;

    private XxlJobDatabase(Connection open) {
        this.connection = new SingleConnectionDataSource(open, true);
        this.jdbc = JdbcClient.create(connection);
        this.columns = reading(this::readColumns);
    }

    static XxlJobDatabase open(XxlJobServer server, Patience patience) {
        try {
            Connection open = connect(server, patience);
            try (Statement statement = open.createStatement()) {
                statement.execute(SNAPSHOT);
                return checked(new XxlJobDatabase(open));
            } catch (SQLException | RuntimeException e) {
                open.close();
                throw e;
            }
        } catch (SQLException e) {
            throw ConnectFailure.of(e, server, patience);
        }
    }

    /**
     * Values that a URL cannot carry safely are passed as properties. Host and database were validated and can only be a host and a
     * database.
     */
    private static Connection connect(XxlJobServer server, Patience patience) throws SQLException {
        Properties settings = new Properties();
        settings.setProperty("user", server.user());
        settings.setProperty("password", server.password());
        settings.setProperty("sslMode", server.tls() ? "verify-full" : "disable");
        settings.setProperty("allowPublicKeyRetrieval", Boolean.toString(!server.tls()));
        settings.setProperty("restrictedAuth", SAFE_AUTHENTICATION);
        settings.setProperty("socketFactory", GuardedSocketFactory.class.getName());
        settings.setProperty("connectTimeout", Long.toString(patience.connect().toMillis()));
        settings.setProperty("socketTimeout", Long.toString(patience.answer().toMillis()));
        settings.setProperty("allowLocalInfile", "false");
        settings.setProperty("permitRedirect", "false");
        return new Driver().connect("jdbc:mariadb://" + server.place(), settings);
    }

    private static XxlJobDatabase checked(XxlJobDatabase database) {
        for (String table : List.of("xxl_job_group", "xxl_job_info")) {
            if (!database.has(table)) {
                throw OrthException.invalid(
                        "database", "has no table %s that this user may read: is it XXL-JOB's?".formatted(table));
            }
        }
        if (!database.columns.get("xxl_job_info").contains("schedule_type")) {
            throw OrthException.invalid(
                    "database", "has the tables of an XXL-JOB before 2.3; upgrade it to 2.3 or newer first");
        }
        return database;
    }

    private Map<String, Set<String>> readColumns() {
        Map<String, Set<String>> found = new HashMap<>();
        jdbc.sql(COLUMNS).query(row -> {
            found.computeIfAbsent(row.getString("t"), table -> new HashSet<>()).add(row.getString("c"));
        });
        return found;
    }

    /** Returns whether the table exists and is readable. */
    boolean has(String table) {
        return columns.containsKey(table);
    }

    List<XxlJobRows.Group> groups() {
        return all(
                GROUPS.formatted(oneOf("xxl_job_group", "title", "name")),
                MOST_GROUPS,
                "executor groups",
                (row, n) -> new XxlJobRows.Group(
                        row.getInt("id"),
                        text(row, "app_name"),
                        text(row, "title"),
                        row.getInt("address_type") == 1,
                        text(row, "address_list")));
    }

    List<XxlJobRows.User> users() {
        return all(
                USERS,
                MOST_USERS,
                "users",
                (row, n) -> new XxlJobRows.User(
                        row.getInt("id"), text(row, "username"), row.getInt("role"), text(row, "permission")));
    }

    List<Outline> outlines() {
        return all(
                OUTLINES.formatted(oneOf("xxl_job_info", "job_desc", "name")),
                MOST_JOBS,
                "jobs",
                (row, n) -> new Outline(
                        row.getInt("id"), row.getInt("job_group"), text(row, "name"), text(row, "child_jobid")));
    }

    /** Returns the existing jobs among these, by id. */
    Map<Integer, XxlJobRows.Job> jobs(Collection<Integer> ids) {
        return reading(() ->
                jdbc.sql(JOBS).params(Map.of("param", LONGEST_PARAM, "ids", ids)).query((row, n) -> job(row)).stream()
                        .collect(Collectors.toMap(XxlJobRows.Job::id, job -> job)));
    }

    Source currentSource(int jobId) {
        return reading(() -> jdbc.sql(CURRENT_SOURCE)
                .params(Map.of("longest", LONGEST_SOURCE, "id", jobId))
                .query((row, n) -> source(row))
                .single());
    }

    /** Returns the versions, oldest first; empty if the table does not exist. */
    List<Source> earlierSources(int jobId) {
        if (!has("xxl_job_logglue")) {
            return List.of();
        }
        return reading(() -> jdbc.sql(EARLIER_SOURCES)
                .params(Map.of("longest", LONGEST_SOURCE, "id", jobId, "limit", MOST_VERSIONS))
                .query((row, n) -> source(row))
                .list());
    }

    private static XxlJobRows.Job job(ResultSet row) throws SQLException {
        return new XxlJobRows.Job(
                row.getInt("id"),
                new Schedule(text(row, "schedule_type"), text(row, "schedule_conf"), text(row, "misfire_strategy")),
                new How(
                        text(row, "executor_route_strategy"),
                        text(row, "executor_block_strategy"),
                        row.getInt("executor_timeout"),
                        row.getInt("executor_fail_retry_count")),
                new What(text(row, "glue_type"), text(row, "executor_handler"), text(row, "executor_param")),
                new About(text(row, "author"), text(row, "alarm_email"), row.getInt("trigger_status") == 1));
    }

    private static Source source(ResultSet row) throws SQLException {
        return new Source(
                text(row, "glue_type"), text(row, "glue_source"), text(row, "glue_remark"), text(row, "updated"));
    }

    private static String text(ResultSet row, String column) throws SQLException {
        String text = row.getString(column);
        return text == null ? "" : text;
    }

    /** Returns the column name of this schema version; newer schemas have renamed some columns. */
    private String oneOf(String table, String first, String second) {
        return columns.get(table).contains(first) ? first : second;
    }

    private <T> List<T> all(String sql, int most, String what, RowMapper<T> mapper) {
        List<T> found = reading(
                () -> jdbc.sql(sql).param("limit", most + 1).query(mapper).list());
        if (found.size() > most) {
            throw OrthException.invalid(
                    "database", "has more than %d %s, as many as one import takes".formatted(most, what));
        }
        return found;
    }

    /** Translates failures, so that they are not reported as failures of Orth's own database. */
    private static <T> T reading(Supplier<T> query) {
        try {
            return query.get();
        } catch (DataAccessException e) {
            String reason = String.valueOf(e.getMostSpecificCause().getMessage());
            throw OrthException.invalid("database", "could not be read: " + Text.line(reason, 300));
        }
    }

    @Override
    public void close() {
        connection.destroy();
    }
}
