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
 * Tells trouble of the database, after which the same call may succeed, from what is wrong with a statement or its data. What the
 * server itself said decides; only where it said nothing, the kind of the exception does.
 */
public final class DatabaseTrouble {

    private static final int MAX_CAUSES = 20;

    /** The database has undone the transaction in favour of another one. */
    private static final Set<String> IN_FAVOUR_OF_ANOTHER = Set.of("40P01", "40001");

    /** Connections, resources, an operator who stops the server or a statement, and the server's own system. */
    private static final Set<String> CLASSES = Set.of("08", "53", "57", "58");

    /** Besides: a commit whose outcome is not known, locks, a server that is read-only, and transactions that took too long. */
    private static final Set<String> STATES = Set.of("40003", "55P03", "25006", "25P03", "25P04");

    /**
     * Cardinality, data, integrity, check option, limits of the program such as the size of an index entry, and what a function of the
     * database raises, such as a trigger: the same data would be rejected again.
     */
    private static final Set<String> CLASSES_OF_DATA = Set.of("21", "22", "23", "44", "54", "P0");

    /** The connection could not be had, whatever the reason. */
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

    /** Whatever comes of a statement or a transaction. */
    private static final Set<Class<? extends Exception>> OF_THE_DATABASE =
            Set.of(SQLException.class, DataAccessException.class, TransactionException.class);

    private DatabaseTrouble() {}

    /** Whether {@code failure}, or what caused it, is trouble of the database. */
    public static boolean isCauseOf(Throwable failure) {
        if (isAny(failure, NO_CONNECTION)) {
            return true;
        }
        return stateOf(failure).map(DatabaseTrouble::isTrouble).orElseGet(() -> isAny(failure, WITHOUT_A_STATE));
    }

    /** Whether the database rejects the data itself. After any other failure the same call may succeed later. */
    public static boolean isOfTheData(Throwable failure) {
        return isAny(failure, Set.of(DataIntegrityViolationException.class))
                || stateOf(failure)
                        .filter(state -> isOf(CLASSES_OF_DATA, state))
                        .isPresent();
    }

    /**
     * Whether one item of a batch is to blame for {@code failure}, so that the others succeed without it: it was rejected, the database
     * rejects its data, or code failed over it. Other failures of the database concern every item.
     */
    public static boolean isOfTheItem(RuntimeException failure) {
        if (failure instanceof OrthException rejection) {
            return rejection.code().owner() == ErrorCode.Owner.CALLER;
        }
        return isOfTheData(failure) || !isAny(failure, OF_THE_DATABASE);
    }

    /** Whether the transaction is worth running again at once: another one was preferred to it. */
    static boolean asksToTryAgain(Throwable failure) {
        return stateOf(failure).filter(IN_FAVOUR_OF_ANOTHER::contains).isPresent();
    }

    private static boolean isTrouble(String state) {
        return IN_FAVOUR_OF_ANOTHER.contains(state) || STATES.contains(state) || isOf(CLASSES, state);
    }

    private static boolean isOf(Set<String> classes, String state) {
        return state.length() == 5 && classes.contains(state.substring(0, 2));
    }

    /** What the database called it: the SQLSTATE. */
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
