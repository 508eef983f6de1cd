package io.orth.admin.kernel;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.CannotGetJdbcConnectionException;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.TransactionException;
import org.springframework.transaction.TransactionSystemException;
import org.springframework.transaction.TransactionTimedOutException;

/**
 * Distinguishes database failures, after which the same call may succeed, from faulty statements and data. The SQLSTATE decides; the
 * exception type decides only if there is none.
 */
public final class DatabaseTrouble {

    private static final int MAX_CAUSES = 20;

    /** The database rolled the transaction back in favor of another one: deadlock, serialization failure. */
    private static final Set<String> IN_FAVOUR_OF_ANOTHER = Set.of("40P01", "40001");

    /** Connection failures, insufficient resources, operator intervention, system errors. */
    private static final Set<String> CLASSES = Set.of("08", "53", "57", "58");

    /** Further single states: commit with unknown outcome, lock not available, read-only server, transaction timeouts. */
    private static final Set<String> STATES = Set.of("40003", "55P03", "25006", "25P03", "25P04");

    /**
     * Cardinality, data, integrity, check option, program limits such as the size of an index entry, and errors raised by database
     * functions such as triggers. The same data would be rejected again.
     */
    private static final Set<String> CLASSES_OF_DATA = Set.of("21", "22", "23", "44", "54", "P0");

    /** Failures to get a connection, for any reason. */
    private static final Set<Class<? extends Exception>> NO_CONNECTION = Set.of(
            CannotGetJdbcConnectionException.class,
            CannotCreateTransactionException.class,
            SQLTransientConnectionException.class,
            SQLNonTransientConnectionException.class,
            SQLRecoverableException.class);

    private static final Set<Class<? extends Exception>> WITHOUT_A_STATE = Set.of(
            SQLException.class,
            DataAccessResourceFailureException.class,
            QueryTimeoutException.class,
            TransientDataAccessException.class,
            TransactionSystemException.class,
            TransactionTimedOutException.class);

    /** Failures of a statement or transaction. */
    private static final Set<Class<? extends Exception>> OF_THE_DATABASE =
            Set.of(SQLException.class, DataAccessException.class, TransactionException.class);

    private DatabaseTrouble() {}

    /** Returns whether {@code failure} or one of its causes is a database failure. */
    public static boolean isCauseOf(Throwable failure) {
        if (isAny(failure, NO_CONNECTION)) {
            return true;
        }
        return stateOf(failure).map(DatabaseTrouble::isTrouble).orElseGet(() -> isAny(failure, WITHOUT_A_STATE));
    }

    /** Returns whether the database rejects the data itself. After any other failure the same call may succeed later. */
    public static boolean isOfTheData(Throwable failure) {
        return isAny(failure, Set.of(DataIntegrityViolationException.class))
                || stateOf(failure)
                        .filter(state -> isOf(CLASSES_OF_DATA, state))
                        .isPresent();
    }

    /**
     * Returns whether a single item of a batch caused {@code failure}, so the others succeed without it: the item was rejected, the
     * database rejects its data, or code failed on it. Other database failures affect every item.
     */
    public static boolean isOfTheItem(RuntimeException failure) {
        if (failure instanceof OrthException rejection) {
            return rejection.code().owner() == ErrorCode.Owner.CALLER;
        }
        return isOfTheData(failure) || !isAny(failure, OF_THE_DATABASE);
    }

    /** Returns whether the transaction should be repeated immediately, because the database preferred another one. */
    static boolean asksToTryAgain(Throwable failure) {
        return stateOf(failure).filter(IN_FAVOUR_OF_ANOTHER::contains).isPresent();
    }

    private static boolean isTrouble(String state) {
        return IN_FAVOUR_OF_ANOTHER.contains(state) || STATES.contains(state) || isOf(CLASSES, state);
    }

    private static boolean isOf(Set<String> classes, String state) {
        return state.length() == 5 && classes.contains(state.substring(0, 2));
    }

    /** Returns the SQLSTATE, if any. */
    private static Optional<String> stateOf(Throwable failure) {
        return causes(failure)
                .filter(SQLException.class::isInstance)
                .map(cause -> ((SQLException) cause).getSQLState())
                .filter(state -> state != null && !state.isEmpty())
                .findFirst();
    }

    private static boolean isAny(Throwable failure, Set<Class<? extends Exception>> kinds) {
        return causes(failure).anyMatch(cause -> kinds.stream().anyMatch(kind -> kind.isInstance(cause)));
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
                .limit(MAX_CAUSES);
    }
}
