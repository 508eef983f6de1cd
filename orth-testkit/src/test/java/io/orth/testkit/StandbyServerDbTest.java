package io.orth.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("must-first")
class StandbyServerDbTest {

    @RegisterExtension
    final TestDatabase db = TestDatabase.empty();

    @Test
    void failsIfPrimaryNeverWaitsForStandby() throws Exception {
        try (Connection connection = db.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> StandbyServer.awaitSynchronous(statement, Duration.ofMillis(100)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the primary does not wait for its standby after PT0.1S");
        }
    }
}
