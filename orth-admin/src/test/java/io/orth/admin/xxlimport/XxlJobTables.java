package io.orth.admin.xxlimport;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A database as an XXL-JOB of some version has it, to be filled by a test. */
public final class XxlJobTables {

    public static final String USER = "orth_import";
    public static final String PASSWORD = "only for reading 17";

    /** Versions whose tables differ. */
    public enum Generation {
        /** 2.3.0 to 2.4.2. */
        V2_3("title varchar(12)", "job_desc varchar(255)", "varchar(512)", ""),
        /** 2.5.0 to 3.1: as before, but for indexes. */
        V2_5("title varchar(12)", "job_desc varchar(255)", "varchar(512)", ""),
        /** 3.2 and 3.3: users have a login token. */
        V3_2("title varchar(12)", "job_desc varchar(255)", "varchar(512)", ", token varchar(100)"),
        /** 3.4: longer titles and parameters. */
        V3_4("title varchar(64)", "job_desc varchar(255)", "text", ", token varchar(100)"),
        /** After 3.4: groups and jobs have names. */
        V3_5("name varchar(64)", "name varchar(255)", "text", ", token varchar(100)");

        private final String groupTitle;
        private final String jobName;
        private final String param;
        private final String userMore;

        Generation(String groupTitle, String jobName, String param, String userMore) {
            this.groupTitle = groupTitle;
            this.jobName = jobName;
            this.param = param;
            this.userMore = userMore;
        }

        private String column(String definition) {
            return definition.substring(0, definition.indexOf(' '));
        }

        private String tables() {
            return """
                    create table xxl_job_group (
                        id int not null auto_increment primary key, app_name varchar(64) not null, %1$s not null,
                        address_type tinyint not null default 0, address_list text, update_time datetime);
                    create table xxl_job_info (
                        id int not null auto_increment primary key, job_group int not null, %2$s not null, add_time datetime,
                        update_time datetime, author varchar(64), alarm_email varchar(255),
                        schedule_type varchar(50) not null default 'NONE', schedule_conf varchar(128),
                        misfire_strategy varchar(50) not null default 'DO_NOTHING', executor_route_strategy varchar(50),
                        executor_handler varchar(255), executor_param %3$s, executor_block_strategy varchar(50),
                        executor_timeout int not null default 0, executor_fail_retry_count int not null default 0,
                        glue_type varchar(50) not null, glue_source mediumtext, glue_remark varchar(128),
                        glue_updatetime datetime, child_jobid varchar(255), trigger_status tinyint not null default 0,
                        trigger_last_time bigint not null default 0, trigger_next_time bigint not null default 0);
                    create table xxl_job_logglue (
                        id int not null auto_increment primary key, job_id int not null, glue_type varchar(50),
                        glue_source mediumtext, glue_remark varchar(128) not null, add_time datetime, update_time datetime);
                    create table xxl_job_user (
                        id int not null auto_increment primary key, username varchar(50) not null unique,
                        password varchar(100) not null, role tinyint not null, permission varchar(255)%4$s);
                    """.formatted(groupTitle, jobName, param, userMore);
        }
    }

    private final MariaDbServer server;
    private final String name;
    private final Generation generation;

    private XxlJobTables(MariaDbServer server, String name, Generation generation) {
        this.server = server;
        this.name = name;
        this.generation = generation;
    }

    static XxlJobTables create(MariaDbServer server, String name, Generation generation) {
        XxlJobTables tables = new XxlJobTables(server, name, generation);
        try (Connection connection = server.connect("");
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "create database %s character set utf8mb4; use %s; %s".formatted(name, name, generation.tables()));
            statement.execute(
                    "create user if not exists '%s'@'%%' identified by '%s'; grant select on %s.* to '%s'@'%%'"
                            .formatted(USER, PASSWORD, name, USER));
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return tables;
    }

    public String name() {
        return name;
    }

    public XxlJobTables sql(String sql) {
        try (Connection connection = server.connect(name);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return this;
    }

    public XxlJobTables group(int id, String appName, String title) {
        return insert(
                "xxl_job_group",
                Map.of("id", id, "app_name", appName, generation.column(generation.groupTitle), title));
    }

    public XxlJobTables manualGroup(int id, String appName, String addresses) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("id", id);
        row.put("app_name", appName);
        row.put(generation.column(generation.groupTitle), "by hand");
        row.put("address_type", 1);
        row.put("address_list", addresses);
        return insert("xxl_job_group", row);
    }

    /** A job that names a handler and is fired by hand, but for the given columns: name, value, name, value … */
    public XxlJobTables job(int id, int group, String description, Object... columns) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("id", id);
        row.put("job_group", group);
        row.put(generation.column(generation.jobName), description);
        row.put("executor_route_strategy", "FIRST");
        row.put("executor_handler", "demoJobHandler");
        row.put("executor_block_strategy", "SERIAL_EXECUTION");
        row.put("glue_type", "BEAN");
        for (int i = 0; i < columns.length; i += 2) {
            row.put((String) columns[i], columns[i + 1]);
        }
        return insert("xxl_job_info", row);
    }

    public XxlJobTables source(int jobId, String type, String text, String remark) {
        return insert(
                "xxl_job_logglue",
                Map.of(
                        "job_id", jobId,
                        "glue_type", type,
                        "glue_source", text,
                        "glue_remark", remark,
                        "update_time", "2024-05-06 07:08:09"));
    }

    public XxlJobTables user(int id, String userName, int role, String permission) {
        return insert(
                "xxl_job_user",
                Map.of(
                        "id", id,
                        "username", userName,
                        "password", "e10adc3949ba59abbe56e057f20f883e",
                        "role", role,
                        "permission", permission));
    }

    private XxlJobTables insert(String table, Map<String, Object> row) {
        List<String> columns = new ArrayList<>(row.keySet());
        String sql = "insert into %s (%s) values (%s)"
                .formatted(
                        table,
                        String.join(", ", columns),
                        columns.stream().map(column -> "?").collect(Collectors.joining(", ")));
        try (Connection connection = server.connect(name);
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < columns.size(); i++) {
                statement.setObject(i + 1, row.get(columns.get(i)));
            }
            statement.execute();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return this;
    }
}
