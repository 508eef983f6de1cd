package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.support.SQLErrorCodeSQLExceptionTranslator;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.TransactionSystemException;

@Tag("must-first")
class DatabaseTroubleTest {

    private static final String COMMIT = "Could not commit JDBC transaction";

    /** As it is met: translated by Spring, with the transaction around it, in a future. */
    private static List<Throwable> formsOf(SQLException failure) {
        Throwable translated =
                new SQLErrorCodeSQLExceptionTranslator("PostgreSQL").translate("update", "update x", failure);
        return Stream.of(
                        failure,
                        translated,
                        new UncategorizedSQLException("update", "update x", failure),
                        new TransactionSystemException(COMMIT, failure),
                        new CompletionException(new TransactionSystemException(COMMIT, failure)))
                .filter(Objects::nonNull)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "08000", "08001", "08003", "08004", "08006", "08007", "25006", "25P03", "25P04", "40001", "40003",
                "40P01", "53000", "53100", "53200", "53300", "53400", "55P03", "57000", "57014", "57P01", "57P02",
                "57P03", "57P05", "58000", "58030"
            })
    void theServerIsInTrouble(String state) {
        for (Throwable failure : formsOf(new SQLException("trouble", state))) {
            assertThat(DatabaseTrouble.isCauseOf(failure))
                    .as(failure.toString())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "22001", "22003", "22012", "22021", "22P02", "23502", "23503", "23505", "23514", "25P02", "42501",
                "42601", "42703", "42P01", "42804", "54000", "55006", "P0001", "XX000", "5", "08"
            })
    void theStatementOrItsDataAreWrong(String state) {
        for (Throwable failure : formsOf(new SQLException("wrong", state))) {
            assertThat(DatabaseTrouble.isCauseOf(failure))
                    .as(failure.toString())
                    .isFalse();
        }
    }

    static Stream<Throwable> withoutAState() {
        return Stream.of(
                new SQLTransientConnectionException(
                        "orth - Connection is not available, request timed out after 5000ms"),
                new SQLException("Connection is closed"),
                new BatchUpdateException(new SQLException("gone", "57P01")),
                new CannotGetJdbcConnectionException("none", new SQLException("password", "28P01")),
                new CannotCreateTransactionException("none", new SQLException("no such database", "3D000")),
                new DataAccessResourceFailureException("the database did not tell the time"),
                new QueryTimeoutException("slow"),
                new TransactionSystemException(COMMIT));
    }

    @ParameterizedTest
    @MethodSource("withoutAState")
    void usesExceptionTypeWithoutServerResponse(Throwable failure) {
        assertThat(DatabaseTrouble.isCauseOf(failure)).isTrue();
    }

    static Stream<Throwable> others() {
        return Stream.of(
                new IllegalStateException("a bug"),
                new OutOfMemoryError(),
                OrthException.of(ErrorCode.CONFLICT, "taken"),
                new DataIntegrityViolationException("twice"),
                new EmptyResultDataAccessException(1),
                new InvalidDataAccessApiUsageException("wrong"),
                new NoTransactionException("none"));
    }

    @ParameterizedTest
    @MethodSource("others")
    void everythingElseIsNot(Throwable failure) {
        assertThat(DatabaseTrouble.isCauseOf(failure)).isFalse();
    }

    @Test
    void survivesCyclicCauses() {
        Exception one = new Exception("one");
        Exception two = new Exception("two", one);
        one.initCause(two);

        assertThat(DatabaseTrouble.isCauseOf(one)).isFalse();
    }
}
