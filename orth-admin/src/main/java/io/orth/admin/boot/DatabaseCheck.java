package io.orth.admin.boot;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** Check that Orth can use the database: PostgreSQL 14 or newer, not a read replica, and with Orth's tables in the configured schema. */
final class DatabaseCheck {

    private static final int OLDEST = 14;

    private static final String REPLICA = "the database is a read replica: name the primary in orth.database.url";

    private static final String ON_REPLICA = "25006";

    /** PgBouncer's error for startup parameters that it does not know. */
    private static final String REFUSED_PARAMETER = "unsupported startup parameter";

    private static final String FACTS = """
            select pg_is_in_recovery() as replica,
                   to_regclass('public.orth_node') is not null and to_regclass(? || '.orth_node') is null as elsewhere
            """;

    private DatabaseCheck() {}

    static void check(HikariDataSource database, DatabaseProperties properties) {
        try (Connection connection = database.getConnection();
                PreparedStatement facts = connection.prepareStatement(FACTS)) {
            int version = connection.getMetaData().getDatabaseMajorVersion();
            if (version < OLDEST) {
                throw new StartFailure("PostgreSQL %d is too old: Orth needs %d or newer".formatted(version, OLDEST));
            }
            facts.setString(1, properties.schema());
            try (ResultSet row = facts.executeQuery()) {
                row.next();
                check(row, properties.schema());
            }
            if (!properties.pooler()) {
                checkSettings(connection, properties);
            }
        } catch (SQLException e) {
            throw failure(e, database.getJdbcUrl(), properties.pooler());
        }
    }

    /** Checks that the session settings are in force: a pooler may accept and then discard them. */
    private static void checkSettings(Connection connection, DatabaseProperties properties) throws SQLException {
        for (Map.Entry<String, String> setting :
                ConnectionPools.sharedSettings(properties).values().entrySet()) {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("show " + setting.getKey())) {
                row.next();
                if (!row.getString(1).equals(setting.getValue())) {
                    throw new StartFailure(
                            ("%s is '%s' although the connection was started with '%s': the database is behind a pooler, set "
                                            + "orth.database.pooler=true")
                                    .formatted(setting.getKey(), row.getString(1), setting.getValue()));
                }
            }
        }
    }

    private static StartFailure failure(SQLException e, String url, boolean pooler) {
        SQLException said = serverSaid(e);
        String reason = StartFailure.firstLine(said);
        if (ON_REPLICA.equals(said.getSQLState())) {
            return new StartFailure(REPLICA, e);
        }
        if (!pooler && reason.contains(REFUSED_PARAMETER)) {
            return new StartFailure(
                    "the database %s is behind a pooler (%s): set orth.database.pooler=true".formatted(url, reason), e);
        }
        return new StartFailure("cannot use the database %s: %s".formatted(url, reason), e);
    }

    private static void check(ResultSet facts, String schema) throws SQLException {
        if (facts.getBoolean("replica")) {
            throw new StartFailure(REPLICA);
        }
        if (facts.getBoolean("elsewhere")) {
            throw new StartFailure(
                    ("Orth's tables are in the schema 'public' of this database, not in '%s': set orth.database.schema=public "
                                    + "to keep using them")
                            .formatted(schema));
        }
    }

    /** Returns the innermost {@link SQLException}: that of the driver if there is one, because the pool only reports that it timed out. */
    private static SQLException serverSaid(SQLException failure) {
        SQLException last = failure;
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException said) {
                last = said;
            }
        }
        return last;
    }
}
