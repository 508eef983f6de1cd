package io.orth.admin.alarm;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

/** SQL of channels and their watches. */
@Component
final class ChannelRepository {

    private static final String SELECT = """
            select c.id, c.name, c.kind, c.target, c.secret, c.template, c.every_failure, c.window_seconds, c.everything,
                   c.enabled, c.version, c.created_at, c.updated_at,
                   array(select w.group_id from orth_alarm_watch w where w.channel_id = c.id and w.group_id is not null)
                       as group_ids,
                   array(select w.job_id from orth_alarm_watch w where w.channel_id = c.id and w.job_id is not null)
                       as job_ids
              from orth_alarm_channel c
            """;

    private static final String INSERT = """
            insert into orth_alarm_channel (name, kind, target, secret, template, every_failure, window_seconds, everything,
                                            enabled)
            values (:name, :kind, :target, :secret, :template, :everyFailure, :window, :everything, :enabled)
            returning id
            """;

    private static final String UPDATE = """
            update orth_alarm_channel
               set name = :name, kind = :kind, target = :target, secret = :secret, template = :template,
                   every_failure = :everyFailure, window_seconds = :window, everything = :everything, enabled = :enabled,
                   version = version + 1, updated_at = now()
             where id = :id
               and version = :version
            """;

    private static final String WATCH = """
            insert into orth_alarm_watch (channel_id, group_id, job_id)
            select :channel, g, null from unnest(:groups) g
            union all
            select :channel, null, j from unnest(:jobs) j
            """;

    private final JdbcClient jdbc;

    ChannelRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    List<Channel> list() {
        return jdbc.sql(SELECT + " order by c.id")
                .query(ChannelRepository::read)
                .list();
    }

    Optional<Channel> find(int id) {
        return jdbc.sql(SELECT + " where c.id = :id")
                .param("id", id)
                .query(ChannelRepository::read)
                .optional();
    }

    int count() {
        return jdbc.sql("select count(*) from orth_alarm_channel")
                .query(Integer.class)
                .single();
    }

    int insert(ChannelSpec spec) {
        int id = bind(jdbc.sql(INSERT), spec).query(Integer.class).single();
        watch(id, spec.watch());
        return id;
    }

    boolean update(int id, int version, ChannelSpec spec) {
        int updated = bind(jdbc.sql(UPDATE), spec)
                .param("id", id)
                .param("version", version)
                .update();
        if (updated == 1) {
            jdbc.sql("delete from orth_alarm_watch where channel_id = :id")
                    .param("id", id)
                    .update();
            watch(id, spec.watch());
        }
        return updated == 1;
    }

    boolean delete(int id) {
        return jdbc.sql("delete from orth_alarm_channel where id = :id")
                        .param("id", id)
                        .update()
                == 1;
    }

    private void watch(int id, ChannelSpec.Watch watch) {
        jdbc.sql(WATCH)
                .param("channel", id)
                .param("groups", SqlArrays.integers(watch.groups(), group -> group))
                .param("jobs", SqlArrays.integers(watch.jobs(), job -> job))
                .update();
    }

    private static StatementSpec bind(StatementSpec statement, ChannelSpec spec) {
        return statement
                .param("name", spec.name())
                .param("kind", spec.kind().name())
                .param("target", spec.target())
                .param("secret", spec.secret())
                .param("template", spec.template())
                .param("everyFailure", spec.everyFailure())
                .param("window", (int) spec.window().toSeconds())
                .param("everything", spec.watch().everything())
                .param("enabled", spec.enabled());
    }

    private static Channel read(ResultSet row, int n) throws SQLException {
        ChannelSpec.Watch watch = new ChannelSpec.Watch(
                row.getBoolean("everything"),
                Set.of((Integer[]) row.getArray("group_ids").getArray()),
                Set.of((Integer[]) row.getArray("job_ids").getArray()));
        ChannelSpec spec = new ChannelSpec(
                row.getString("name"),
                ChannelKind.valueOf(row.getString("kind")),
                row.getString("target"),
                row.getString("secret"),
                row.getString("template"),
                row.getBoolean("every_failure"),
                Duration.ofSeconds(row.getInt("window_seconds")),
                watch,
                row.getBoolean("enabled"));
        return new Channel(
                row.getInt("id"),
                spec,
                row.getInt("version"),
                SqlRows.instant(row, "created_at"),
                SqlRows.instant(row, "updated_at"));
    }
}
