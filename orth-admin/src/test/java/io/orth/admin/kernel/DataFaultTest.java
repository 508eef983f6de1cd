package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.transaction.TransactionSystemException;

@Tag("must-first")
class DataFaultTest {

    @ParameterizedTest
    @ValueSource(strings = {"21000", "22001", "22P05", "23505", "23514", "44000", "54000", "P0001"})
    void classifiesUnstorableValuesAsDataFaults(String state) {
        assertThat(DatabaseTrouble.isOfTheData(failure(state))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"08006", "25006", "25P02", "25P03", "40001", "53300", "57014", "57P01", "57P05", "XX000", ""})
    void aDatabaseThatCannotWorkIsNot(String state) {
        assertThat(DatabaseTrouble.isOfTheData(failure(state))).isFalse();
    }

    @Test
    void aFailureOfAnotherKindIsNot() {
        assertThat(DatabaseTrouble.isOfTheData(new TransactionSystemException("no commit")))
                .isFalse();
        assertThat(DatabaseTrouble.isOfTheData(failure(null))).isFalse();
    }

    @Test
    void queueDriverMayReportDataFault() {
        assertThat(DatabaseTrouble.isOfTheData(new DataIntegrityViolationException("as it was told")))
                .isTrue();
    }

    private static RuntimeException failure(String state) {
        return new UncategorizedSQLException("task", "sql", new SQLException("as it was told", state));
    }
}
