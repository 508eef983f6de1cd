package io.orth.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TestDatabaseDbTest {

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @RegisterExtension
    final TestDatabase empty = TestDatabase.empty();

    @RepeatedTest(20)
    void everyTestFindsItsTablesEmpty() throws Exception {
        assertThat(Sql.ask(db.dataSource(), "select count(*) from note")).isEqualTo("0");

        Sql.execute(db.dataSource(), "insert into note (text) values ('left by a test')");

        assertThat(Sql.ask(db.dataSource(), "select max(id) from note")).isEqualTo("1");
    }

    @Test
    void canBeHadWithoutTables() {
        assertThatThrownBy(() -> Sql.ask(empty.dataSource(), "select count(*) from note"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("does not exist");
    }

    @Test
    void isDifferentFromOthersOfTheSameTest() {
        assertThat(db.url()).isNotEqualTo(empty.url());
    }

    @Test
    void doesNotWaitForDisks() throws Exception {
        assertThat(Sql.ask(db.dataSource(), "show fsync")).isEqualTo("off");
    }

    @Test
    void isThereOnlyWhileATestRuns() {
        assertThatThrownBy(() -> new TestDatabase().url()).hasMessageContaining("@RegisterExtension");
    }

    @Nested
    @WithDatabase
    class AsAParameter {

        @Test
        void theDataSourceIsThatOfTheDatabase(TestDatabase database, DataSource dataSource) throws Exception {
            Sql.execute(database.dataSource(), "insert into note (text) values ('seen by both')");

            assertThat(Sql.ask(dataSource, "select text from note")).isEqualTo("seen by both");
        }
    }

    @Nested
    class OfAStaticField {

        @RegisterExtension
        static final TestDatabase SHARED = new TestDatabase();

        @RepeatedTest(2)
        void isSharedByTheTestsOfTheClass() throws Exception {
            Sql.execute(SHARED.dataSource(), "create table if not exists seen (at timestamptz)");
            Sql.execute(SHARED.dataSource(), "insert into seen values (now())");
        }
    }
}
