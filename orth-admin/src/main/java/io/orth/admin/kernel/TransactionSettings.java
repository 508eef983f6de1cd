package io.orth.admin.kernel;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * A data source for connections through a pooler that may assign each transaction to another server session. The settings of a
 * transaction are sent in the same round trip as its first statement, in front of it.
 */
public final class TransactionSettings extends AbstractDataSource {

    /** The statement Flyway uses to set and reset the schema of a session; the transaction's settings already include the schema. */
    private static final String FOR_SESSION = "set_config('search_path', ?, false)";

    private static final String FOR_TRANSACTION = "set_config('search_path', ?, true)";

    private final DataSource database;
    private final String first;

    public TransactionSettings(DataSource database, SessionSettings settings) {
        this.database = database;
        this.first = settings.forTransaction() + ";\n";
    }

    @Override
    public Connection getConnection() throws SQLException {
        Settled settled = new Settled(database.getConnection());
        return proxy(Connection.class, (proxy, method, arguments) -> settled.call(method, arguments));
    }

    @Override
    public Connection getConnection(String username, String password) {
        throw new UnsupportedOperationException("connections are those of the configured user");
    }

    private static <T> T proxy(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
    }

    private static Object pass(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** A connection that tracks whether its transaction has the settings. Used by one thread at a time, as any connection. */
    private final class Settled {

        private final Connection connection;
        private boolean settled;

        Settled(Connection connection) {
            this.connection = connection;
        }

        Object call(Method method, Object[] arguments) throws Throwable {
            switch (method.getName()) {
                case "prepareStatement" -> {
                    return prepare(method, arguments);
                }
                case "createStatement" -> {
                    Statement statement = (Statement) pass(connection, method, arguments);
                    return proxy(Statement.class, (proxy, called, values) -> run(statement, called, values));
                }
                case "prepareCall" -> throw new SQLFeatureNotSupportedException("calls through a pooler");
                // Includes rollbacks to a savepoint, which undo settings made after the savepoint.
                case "commit", "rollback", "setAutoCommit", "close" -> settled = false;
                default -> {}
            }
            return pass(connection, method, arguments);
        }

        private Object prepare(Method method, Object[] arguments) throws Throwable {
            boolean withSettings = !settled;
            String sql = ((String) arguments[0]).replace(FOR_SESSION, FOR_TRANSACTION);
            arguments[0] = withSettings ? first + sql : sql;
            PreparedStatement statement = (PreparedStatement) pass(connection, method, arguments);
            return proxy(
                    PreparedStatement.class, (proxy, called, values) -> run(statement, withSettings, called, values));
        }

        private Object run(PreparedStatement statement, boolean withSettings, Method method, Object[] arguments)
                throws Throwable {
            if (!isExecution(method)) {
                return pass(statement, method, arguments);
            }
            if (withSettings) {
                return resultOf(method, statement, statement.execute());
            }
            if (!settled) {
                throw new SQLException("the statement was prepared in another transaction");
            }
            return pass(statement, method, arguments);
        }

        private Object run(Statement statement, Method method, Object[] arguments) throws Throwable {
            if (settled || !isExecution(method)) {
                return pass(statement, method, arguments);
            }
            return resultOf(method, statement, statement.execute(first + arguments[0]));
        }

        private boolean isExecution(Method method) throws SQLException {
            if (method.getName().endsWith("Batch")) {
                throw new SQLFeatureNotSupportedException("batches through a pooler");
            }
            return method.getName().startsWith("execute");
        }

        /** Skips the row of the settings and returns the caller's result. */
        private Object resultOf(Method method, Statement statement, boolean settingsRow) throws SQLException {
            if (!settingsRow) {
                throw new SQLException("the settings of the transaction gave no row");
            }
            settled = !connection.getAutoCommit();
            boolean rows = statement.getMoreResults();
            return switch (method.getName()) {
                case "executeQuery" -> statement.getResultSet();
                case "executeUpdate" -> statement.getUpdateCount();
                case "executeLargeUpdate" -> statement.getLargeUpdateCount();
                default -> rows;
            };
        }
    }
}
