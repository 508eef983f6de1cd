package io.orth.sample.hydrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("must-pipelines")
class JdbcContentStoreDbTest {

    @RegisterExtension
    final TestDatabase database = TestDatabase.empty();

    private final ExecutorService threads = Executors.newFixedThreadPool(8);

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void keepsEachTextOnceAndTheLatest() throws Exception {
        ContentStore store = store();
        store.save(new ContentStore.Content("topic/1/en", "en", "h1", "g1", "first"));
        store.save(new ContentStore.Content("topic/1/en", "en", "h2", "g2", "second"));

        ContentStore reopened = store();

        assertThat(reopened.find("topic/1/en"))
                .contains(new ContentStore.Content("topic/1/en", "en", "h2", "g2", "second"));
        assertThat(reopened.find("topic/2/en")).isEmpty();
    }

    @Test
    void createsSchemaNamedInTheUrl() throws Exception {
        String url = database.url() + (database.url().contains("?") ? "&" : "?") + "currentSchema=hydrate,public";

        new JdbcContentStore(url, database.user(), database.password())
                .save(new ContentStore.Content("topic/1/en", "en", "h", "g", "text"));
        ContentStore again = new JdbcContentStore(url, database.user(), database.password());

        assertThat(again.find("topic/1/en")).isPresent();
        assertThat(count("select count(*) from hydrate.hydrate_content")).isEqualTo(1);
        assertThat(count(
                        "select count(*) from pg_tables where schemaname = 'public' and tablename = 'hydrate_content'"))
                .isZero();
    }

    @Test
    void concurrentStartsCreateSchemaOnce() {
        String url = database.url() + (database.url().contains("?") ? "&" : "?") + "currentSchema=together";

        assertThat(
                        IntStream.range(0, 8)
                                .mapToObj(i -> CompletableFuture.supplyAsync(() -> open(url), threads))
                                .toList()
                                .stream()
                                .map(CompletableFuture::join))
                .hasSize(8);
    }

    private ContentStore open(String url) {
        try {
            return new JdbcContentStore(url, database.user(), database.password());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private long count(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database.url(), database.user(), database.password());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private ContentStore store() throws Exception {
        return new JdbcContentStore(database.url(), database.user(), database.password());
    }
}
