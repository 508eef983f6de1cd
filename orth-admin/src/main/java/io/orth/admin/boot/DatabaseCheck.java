package io.orth.admin.boot;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Makes sure that the database is one Orth can live on: PostgreSQL, new enough, not a read replica, and with its tables where they are looked for. */
final class DatabaseCheck {

    private static final int OLDEST = 14;

    private DatabaseCheck() {}

    private static final String FACTS = """
            select pg_is_in_recovery() as replica,
                   to_regclass('public.orth_node') is not null and to_regclass(? || '.orth_node') is null as elsewhere
            """;

    static void check(DataSource dataSource, String url, String schema) {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement facts = connection.prepareStatement(FACTS)) {
            int version = connection.getMetaData().getDatabaseMajorVersion();
            if (version < OLDEST) {
                throw new StartFailure("PostgreSQL %d is too old: Orth needs %d or newer".formatted(version, OLDEST));
            }
            facts.setString(1, schema);
            try (ResultSet row = facts.executeQuery()) {
                row.next();
                check(row, schema);
            }
        } catch (SQLException e) {
            throw new StartFailure("cannot use the database %s: %s".formatted(url, reasonOf(e)), e);
        }
    }

    private static void check(ResultSet facts, String schema) throws SQLException {
        if (facts.getBoolean("replica")) {
            throw new StartFailure("the database is a read replica: name the primary in orth.database.url");
        }
        if (facts.getBoolean("elsewhere")) {
            throw new StartFailure(
                    ("Orth's tables are in the schema 'public' of this database, not in '%s': set orth.database.schema=public "
                                    + "to keep using them")
                            .formatted(schema));
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
