package io.orth.admin.boot;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Makes sure that the database is one Orth can live on: PostgreSQL, new enough, and not a read replica. */
final class DatabaseCheck {

    private static final int OLDEST = 14;

    private DatabaseCheck() {}

    static void check(DataSource dataSource, String url) {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_is_in_recovery()")) {
            int version = connection.getMetaData().getDatabaseMajorVersion();
            if (version < OLDEST) {
                throw new StartFailure("PostgreSQL %d is too old: Orth needs %d or newer".formatted(version, OLDEST));
            }
            row.next();
            if (row.getBoolean(1)) {
                throw new StartFailure("the database is a read replica: name the primary in orth.database.url");
            }
        } catch (SQLException e) {
            throw new StartFailure("cannot use the database %s: %s".formatted(url, reasonOf(e)), e);
        }
    }

    /** The driver's own word where there is one: the pool only says that it waited. */
    private static String reasonOf(SQLException failure) {
        Throwable reason = failure.getCause() instanceof SQLException ? failure.getCause() : failure;
        return String.valueOf(reason.getMessage())
                .lines()
                .findFirst()
                .orElse("")
                .strip();
    }
}
