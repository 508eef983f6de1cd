package io.orth.admin.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.testkit.TestDatabase;
import java.util.List;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Retry settings of an earlier schema, which counted the retries of jobs and had other names. */
@Tag("must-kernel")
class RetryMigrationDbTest {

    @RegisterExtension
    final TestDatabase db = TestDatabase.empty();

    private JdbcClient jdbc;

    @BeforeEach
    void migrateToTheVersionBefore() {
        jdbc = JdbcClient.create(db.dataSource());
        migrate("37?");
    }

    @Test
    void jobsCountAttemptsAndKeepTheirDelays() {
        jdbc.sql(
                        "insert into orth_executor_group (name, title, token, token_hash) values ('billing', 'Billing', 't', 'h')")
                .update();
        jdbc.sql("""
                        insert into orth_job (name, group_id, handler, param, schedule_type, misfire, enabled, block_strategy,
                                              retries, backoff_ms, backoff_cap_ms, seq)
                        select j.name, g.id, 'h', '', 'NONE', 'FIRE_ONCE', true, 'SERIAL', retries, 1500, 60000, 1
                          from orth_executor_group g, (values ('none', 0), ('three', 3), ('most', 100)) as j(name, retries)
                        """).update();

        migrate("38");

        assertThat(jdbc.sql("""
                                select concat_ws(' ', name, max_attempts, backoff_initial_ms, backoff_multiplier, backoff_max_ms,
                                                 backoff_jitter)
                                  from orth_job
                                 order by id
                                """).query(String.class).list())
                .containsExactly("none 1 1500 2 60000 0", "three 4 1500 2 60000 0", "most 100 1500 2 60000 0");
    }

    @Test
    void stagesDeclarationsAndTheInboxSayTheSameInTheNewShape() {
        jdbc.sql("""
                        insert into orth_pipeline (name, version, description, stages, updated_by, updated_at)
                        values ('books', 1, '', '[{"name":"a","maxAttempts":3,"firstMillis":1000,"factor":1.5,"mostMillis":60000},
                                                  {"name":"b","maxAttempts":1,"firstMillis":0,"factor":1,"mostMillis":0}]', 'ann', now())
                        """).update();
        jdbc.sql(
                        "insert into orth_executor_group (name, title, token, token_hash) values ('billing', 'Billing', 't', 'h')")
                .update();
        jdbc.sql("""
                        insert into orth_job_declaration (group_id, name, declared, instance_id)
                        select id, d.name, d.declared::jsonb, 'i'
                          from orth_executor_group, (values ('plain', '{"name":"plain","retries":0}'),
                                                            ('three', '{"name":"three","retries":3,"backoffMillis":500}'),
                                                            ('refused', null)) as d(name, declared)
                        """).update();
        jdbc.sql("""
                        insert into orth_message_inbox (queue, messages)
                        values ('emails', '[{"payload":"x"},{"payload":"y","retry":{"firstMillis":7,"mostMillis":9}}]')
                        """).update();

        migrate("38");

        assertThat(texts("select stages from orth_pipeline")).containsExactly("""
                        [{"name": "a", "backoff": {"jitter": 0, "multiplier": 1.5, "maxDelayMillis": 60000, \
                        "initialDelayMillis": 1000}, "maxAttempts": 3}, \
                        {"name": "b", "backoff": {"jitter": 0, "multiplier": 1, "maxDelayMillis": 0, \
                        "initialDelayMillis": 0}, "maxAttempts": 1}]""");
        assertThat(texts("select declared from orth_job_declaration where declared is not null order by name"))
                .containsExactly("{\"name\": \"plain\", \"maxAttempts\": 1}", """
                        {"name": "three", "backoff": {"initialDelayMillis": 500}, "maxAttempts": 4}""");
        assertThat(texts("select messages from orth_message_inbox")).containsExactly("""
                        [{"payload": "x"}, {"backoff": {"multiplier": 2, "maxDelayMillis": 9, "initialDelayMillis": 7}, \
                        "payload": "y"}]""");
    }

    private List<String> texts(String statement) {
        return jdbc.sql(statement).query(String.class).list();
    }

    private void migrate(String version) {
        Flyway.configure()
                .dataSource(db.dataSource())
                .locations("classpath:db/migration")
                .target(version)
                .load()
                .migrate();
    }
}
