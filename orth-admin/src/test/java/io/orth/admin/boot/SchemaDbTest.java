package io.orth.admin.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.testkit.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The schema as the migrations create it. */
@Tag("must-words")
class SchemaDbTest {

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    /** Partitions are described by the table that they belong to. */
    @Test
    void describesEveryTable() {
        assertThat(JdbcClient.create(db.dataSource())
                        .sql("""
                                select relname
                                  from pg_class
                                 where relnamespace = current_schema()::regnamespace
                                   and relname like 'orth\\_%'
                                   and relkind in ('r', 'p')
                                   and not relispartition
                                   and obj_description(oid, 'pg_class') is null
                                """)
                        .query(String.class)
                        .list())
                .isEmpty();
    }
}
