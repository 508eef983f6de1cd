package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@Timeout(30)
class LastWritesDbTest {

    private static final String ADD = "insert into line (text) values (:text::text)";
    private static final String ADD_AND_TELL = """
            with added as (insert into line (text) values (:text) returning no) select no from added
            """;

    @RegisterExtension
    final TestDatabase db = TestDatabase.empty();

    private final List<Long> told = new ArrayList<>();
    private JdbcClient jdbc;
    private Transactions transactions;
    private LastWrites writes;

    @BeforeEach
    void setUp() {
        jdbc = JdbcClient.create(db.dataSource());
        transactions = new Transactions(new TransactionTemplate(new JdbcTransactionManager(db.dataSource())));
        writes = new LastWrites(db.dataSource());
        jdbc.sql("create table line (no bigint generated always as identity, text text not null)")
                .update();
    }

    @Test
    void areWrittenInOrderJustBeforeCommit() {
        transactions.run(() -> {
            writes.add(ADD, text("one"));
            writes.add(ADD_AND_TELL, text("two"), told::add);
            writes.add(ADD, text("three"));
            assertThat(lines()).as("before the end").isEmpty();
            assertThat(told).isEmpty();
        });

        assertThat(lines()).containsExactly("one", "two", "three");
        assertThat(told).containsExactly(2L);
    }

    @Test
    void manyAreWrittenInParts() {
        List<String> texts = IntStream.range(0, 21).mapToObj(Integer::toString).toList();

        transactions.run(() -> texts.forEach(text -> writes.add(ADD_AND_TELL, text(text), told::add)));

        assertThat(lines()).containsExactlyElementsOf(texts);
        assertThat(told).hasSize(21).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void areDroppedOnRollback() {
        assertThatThrownBy(() -> transactions.run(() -> {
                    writes.add(ADD, text("never"));
                    throw new IllegalStateException("on purpose");
                }))
                .hasMessage("on purpose");
        transactions.run(() -> writes.add(ADD, text("next")));

        assertThat(lines()).containsExactly("next");
    }

    @Test
    void failedWriteRollsBackTheTransaction() {
        assertThatThrownBy(() -> transactions.run(() -> {
                    jdbc.sql("insert into line (text) values ('first')").update();
                    writes.add(ADD, text(null));
                }))
                .isInstanceOf(DataAccessException.class);

        assertThat(lines()).isEmpty();
    }

    @Test
    void rejectsWritesOutsideTransaction() {
        assertThatThrownBy(() -> writes.add(ADD, text("lost"))).isInstanceOf(IllegalStateException.class);
    }

    private static MapSqlParameterSource text(String text) {
        return new MapSqlParameterSource("text", text);
    }

    private List<String> lines() {
        return jdbc.sql("select text from line order by no").query(String.class).list();
    }
}
