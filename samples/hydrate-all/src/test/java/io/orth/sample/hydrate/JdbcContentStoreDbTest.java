package io.orth.sample.hydrate;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.testkit.TestDatabase;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("must-pipelines")
class JdbcContentStoreDbTest {

    @RegisterExtension
    final TestDatabase database = TestDatabase.empty();

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

    private ContentStore store() throws Exception {
        return new JdbcContentStore(database.url(), database.user(), database.password());
    }
}
